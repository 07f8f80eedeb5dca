/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A real-time task and a handler have one vector.
 *
 * on: micaz
 * refused: redefinition of 'vector_used_TIMER1_COMPA'
 */
#include <lichen/interrupt.h>
#include <lichen/rt.h>

volatile unsigned runs;

INTERRUPT(TIMER1_COMPA)
{
    runs++;
}

RT_TASK(task, TIMER1_COMPA, .priority = 0, .period_us = 1000, .deadline_us = 100, .wcet_cycles = 50)
{
    runs++;
}
