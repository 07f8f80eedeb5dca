/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Two real-time tasks have one timer.
 *
 * error: test/refused/rt_two_on_one_timer.c:20:14: the interrupt TC3 has two handlers
 * help: choose another timer for one of them; the other is at
 *        test/refused/rt_two_on_one_timer.c:14:1
 */
/* clang-format off */
#include <lichen/rt.h>
#include <lichen/thread.h>

volatile unsigned runs;

RT_TASK(one, RT_TIMER_A, .priority = 0, .period_us = 1000, .deadline_us = 100, .wcet_cycles = 50)
{
    rt_acknowledge();
    runs++;
}

RT_TASK(two, RT_TIMER_A, .priority = 0, .period_us = 1000, .deadline_us = 100, .wcet_cycles = 50)
{
    rt_acknowledge();
    runs++;
}

THREAD(t, 512, PRIORITY_APP)
{
    rt_period_start(one);
    rt_period_start(two);
}
