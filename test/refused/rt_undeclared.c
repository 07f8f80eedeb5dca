/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A real-time task does not say how long it takes.
 *
 * refused: needs .wcet_cycles
 */
#include <lichen/rt.h>

volatile unsigned runs;

RT_TASK(task, TC3, .priority = 0, .period_us = 1000, .deadline_us = 100)
{
    runs++;
}
