/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* One real-time task. */
#include <lichen/rt.h>

#include "kinds_of_chip.h"

static volatile unsigned runs;

RT_TASK(task, VECTOR_OF_TASK, .priority = 0, .period_us = 1000, .deadline_us = 100,
        .wcet_cycles = 50)
{
    runs++;
}
