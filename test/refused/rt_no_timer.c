/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A period is started for a task whose vector is not a timer's.
 *
 * error: test/refused/rt_no_timer.c:20: `EIC' is no timer, and so starts no task every period
 * help: give the task a timer: RT_TIMER_A or RT_TIMER_B, on the SAM R21 also RT_TIMER_C
 *        (<lichen/rt.h>)
 */
#include <lichen/coop.h>
#include <lichen/rt.h>

RT_TASK(task, EIC, .priority = 0, .period_us = 1000, .deadline_us = 100, .wcet_cycles = 50)
{
}

COOP(starts)
{
    COOP_BEGIN();
    rt_period_start(task);
    COOP_END();
}
