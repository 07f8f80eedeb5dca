/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Two real-time tasks have one vector.
 *
 * error: test/refused/rt_two_on_one_vector.c:17:16: the interrupt TC3 has two handlers
 * help: choose another vector for one of them; the other is at
 *        test/refused/rt_two_on_one_vector.c:12:15
 */
#include <lichen/rt.h>

volatile unsigned runs;

RT_TASK(task, TC3, .priority = 0, .period_us = 1000, .deadline_us = 100, .wcet_cycles = 50)
{
    runs++;
}

RT_TASK(other, TC3, .priority = 0, .period_us = 1000, .deadline_us = 100, .wcet_cycles = 50)
{
    runs++;
}
