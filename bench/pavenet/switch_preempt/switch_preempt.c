/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A cooperative thread is preempted by a real-time task, which is preempted by a more urgent one.
 *
 *   low_requested .. low_begins     from the request to the first instruction of the body
 *   high_requested .. high_begins   the same, from within the task of lower priority
 */
#include <lichen/coop.h>
#include <lichen/rt.h>

#include "../../kernel/mark.h"
#include "request.h"

volatile uint32_t runs;

RT_TASK(high, HIGH, .priority = 0, .period_us = 1000, .deadline_us = 100, .wcet_cycles = 50)
{
    BENCH_MARK(high_begins);
    REQUEST_SERVED(HIGH);
    runs++;
}

RT_TASK(low, LOW, .priority = 1, .period_us = 1000, .deadline_us = 200, .wcet_cycles = 100)
{
    BENCH_MARK(low_begins);
    REQUEST(high_requested, HIGH);
    runs++;
}

COOP(requests)
{
    COOP_BEGIN();
    for (;;) {
        REQUEST(low_requested, LOW);
        coop_yield();
    }
    COOP_END();
}
