/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A timer that there is not.
 *
 * error: test/refused/rt_timer_unknown.c:13: the chip has no timer or interrupt `TIMER_1' for
 *        `sample'
 * help: RT_TIMER_A and RT_TIMER_B are timers of each chip, RT_TIMER_C of the SAM R21; interrupts
 *        have the names of the data sheet
 */
/* clang-format off */
#include <lichen/rt.h>
#include <lichen/thread.h>

RT_TASK(sample, TIMER_1, .priority = 0, .period_us = 1000, .deadline_us = 100, .wcet_cycles = 50)
{
    rt_acknowledge();
}

THREAD(t, 512, PRIORITY_APP)
{
    rt_period_start(sample);
}
