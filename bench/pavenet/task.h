/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The body of a real-time task that reads a constant and counts, for a task in flash and one in
 * RAM, at 48 MHz, where flash has a wait state. `task_done` marks the place after its last store.
 */
#ifndef BENCH_TASK_H
#define BENCH_TASK_H

#include <lichen/coop.h>
#include <lichen/rt.h>

#include "chip/chip.h"
#include "../kernel/mark.h"
#include "request.h"

#define TASK_DECLARED .priority = 0, .period_us = 1000, .deadline_us = 100, .wcet_cycles = 60

#define TASK_BODY                                                                                  \
    {                                                                                              \
        for (unsigned i = 0; i < 4; i++) {                                                         \
            runs += i ^ runs >> 3;                                                                 \
        }                                                                                          \
        BENCH_MARK(task_done);                                                                     \
    }

COOP(requests)
{
    COOP_BEGIN();
    chip_clock_set(CHIP_CLOCK_48_MHZ);
    for (;;) {
        REQUEST(task_requested, HIGH);
        coop_yield();
    }
    COOP_END();
}

static volatile uint32_t runs;

#endif
