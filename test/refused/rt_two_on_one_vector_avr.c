/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Two real-time tasks have one vector.
 *
 * on: micaz
 * refused: redefinition of 'vector_used_TIMER1_COMPA'
 */
#include <lichen/rt.h>

volatile unsigned runs;

RT_TASK(task, TIMER1_COMPA, .priority = 0, .period_us = 1000, .deadline_us = 100, .wcet_cycles = 50)
{
    runs++;
}

RT_TASK(other, TIMER1_COMPA, .priority = 0, .period_us = 1000, .deadline_us = 100,
        .wcet_cycles = 50)
{
    runs++;
}
