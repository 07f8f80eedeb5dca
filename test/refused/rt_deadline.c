/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The deadline of a real-time task is longer than its period.
 *
 * refused: is at most its .period_us
 */
#include <lichen/rt.h>

volatile unsigned runs;

RT_TASK(task, TC3, .priority = 0, .period_us = 1000, .deadline_us = 1001, .wcet_cycles = 50)
{
    runs++;
}
