/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A real-time task has a vector that the chip does not have.
 *
 * refused: undefined reference to `interrupt_vector_TC9'
 */
#include <lichen/rt.h>

volatile unsigned runs;

RT_TASK(task, TC9, .priority = 0, .period_us = 1000, .deadline_us = 100, .wcet_cycles = 50)
{
    runs++;
}
