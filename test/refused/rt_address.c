/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A real-time task is given by its address.
 *
 * error: test/refused/rt_address.c:19:21: rt_period_start takes the name of the task, and not its
 *        address
 * help: write it without &: rt_period_start(sample)
 */
/* clang-format off */
#include <lichen/rt.h>
#include <lichen/thread.h>

RT_TASK(sample, RT_TIMER_A, .priority = 0, .period_us = 1000, .deadline_us = 100, .wcet_cycles = 50)
{
    rt_acknowledge();
}

THREAD(t, 512, PRIORITY_APP)
{
    rt_period_start(&sample);
}
