/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A timer that the chip does not have.
 *
 * on: micaz
 * error: test/refused/rt_timer_c_avr.c:14:1: the chip has no timer or interrupt `RT_TIMER_C' for
 *        `sample'
 * help: RT_TIMER_A and RT_TIMER_B are timers of each chip, RT_TIMER_C of the SAM R21; interrupts
 *        have the names of the data sheet
 */
/* clang-format off */
#include <lichen/rt.h>
#include <lichen/thread.h>

RT_TASK(sample, RT_TIMER_C, .priority = 0, .period_us = 1000, .deadline_us = 100, .wcet_cycles = 50)
{
    rt_acknowledge();
}

THREAD(t, 512, PRIORITY_APP)
{
    rt_period_start(sample);
}
