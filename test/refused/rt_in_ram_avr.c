/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A real-time task is placed in RAM on a chip that executes code from flash only.
 *
 * on: micaz
 * error: test/refused/rt_in_ram_avr.c:15:1: task pulse cannot be placed in RAM: this chip
 *        executes code from flash only
 * help: write RT_TASK
 */
#include <lichen/rt.h>

static volatile unsigned runs;

/* At the second line of the task's declaration the compiler would report its consequences. */

RT_TASK_IN_RAM(pulse, TIMER3_COMPA, .priority = 0, .period_us = 2000, .deadline_us = 100,
               .wcet_cycles = 50)
{
    runs++;
}
