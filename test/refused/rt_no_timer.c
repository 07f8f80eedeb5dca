/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A period is started for a task whose vector is not a timer's.
 *
 * refused: undefined reference to `rt_timer_EIC'
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
