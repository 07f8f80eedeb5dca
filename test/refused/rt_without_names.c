/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The fields of a real-time task are not named.
 *
 * error: test/refused/rt_without_names.c:11:1: the values of the real-time task have no names
 * help: write RT_TASK(sample, RT_TIMER_A, .priority = 0, .period_us = 1000, .deadline_us = 100,
 *        .wcet_cycles = 50)
 */
/* clang-format off */
#include <lichen/rt.h>

RT_TASK(sample, RT_TIMER_A, 0, 1000, 500, 1000)
{
    rt_acknowledge();
}
