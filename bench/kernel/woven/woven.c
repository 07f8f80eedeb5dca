/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An interrupt posts an event that is half of a woven pair, and every second time its partner too.
 *
 *   alone_posted .. alone_event   from before the post to the handler of the half
 *   both_posted .. both_woven     from before the post of the second half to the woven handler
 */
#include <lichen/interrupt.h>
#include <lichen/thread.h>
#include <lichen/woven.h>

#include "../mark.h"
#include "signal.h"

volatile uint32_t rounds;
static bool together;

EVENT(alone)
{
    rounds++;
}

EVENT(partner)
{
    rounds++;
}

WOVEN(both, alone, partner)
{
    BENCH_MARK(both_run);
    rounds++;
}

SIGNAL_HANDLER
{
    signal_clear();
    together = !together;
    if (together) {
        event_post_from(&partner, LEVEL_DRIVER);
        BENCH_MARK(both_posted);
        event_post_from(&alone, LEVEL_DRIVER);
    } else {
        BENCH_MARK(alone_posted);
        event_post_from(&alone, LEVEL_DRIVER);
    }
}

THREAD(computes, 256, PRIORITY_APP)
{
    signal_start(4001);
    for (;;) {
        rounds++;
    }
}
