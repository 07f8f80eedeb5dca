/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A real-time task has a vector that the chip does not have.
 *
 * error: test/refused/rt_unknown_vector.c:12: the chip has no timer or interrupt `TC9' for `task'
 * help: RT_TIMER_A and RT_TIMER_B are timers of each chip, RT_TIMER_C of the SAM R21; interrupts
 *        have the names of the data sheet
 */
#include <lichen/rt.h>

volatile unsigned runs;

RT_TASK(task, TC9, .priority = 0, .period_us = 1000, .deadline_us = 100, .wcet_cycles = 50)
{
    runs++;
}
