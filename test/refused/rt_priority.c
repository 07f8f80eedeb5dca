/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A real-time task has the level of drivers.
 *
 * refused: .priority of a real-time task is 0 or 1
 */
#include <lichen/rt.h>

volatile unsigned runs;

RT_TASK(task, TC3, .priority = 2, .period_us = 1000, .deadline_us = 100, .wcet_cycles = 50)
{
    runs++;
}
