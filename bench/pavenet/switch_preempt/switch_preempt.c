/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A cooperative thread is preempted by a real-time task, which is preempted by a more urgent one.
 *
 *   low_requested .. TCC1_handler    from the request to the first instruction
 *   high_requested .. TCC0_handler   the same, from within the task of lower priority
 */
#include <lichen/coop.h>
#include <lichen/rt.h>

#include "../request.h"

volatile uint32_t runs;

RT_TASK(high, TCC0, .priority = 0, .period_us = 1000, .deadline_us = 100, .wcet_cycles = 50)
{
    runs++;
}

RT_TASK(low, TCC1, .priority = 1, .period_us = 1000, .deadline_us = 200, .wcet_cycles = 100)
{
    REQUEST(high_requested, TCC0_LINE);
    runs++;
}

COOP(requests)
{
    COOP_BEGIN();
    for (;;) {
        REQUEST(low_requested, TCC1_LINE);
        coop_yield();
    }
    COOP_END();
}
