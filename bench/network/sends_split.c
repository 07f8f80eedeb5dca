/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An event begins to send a frame, and another one is posted when it has been acknowledged, 20
 * times a second.
 *
 *   send_begins .. send_ends   from before the call to the second event's first instruction
 */
#include <lichen/event.h>
#include <lichen/thread.h>
#include <lichen/timer.h>

#include "talk.h"

EVENT_EXTERN(due);
static TIMER(period, due);

/* No timer runs while it sends, as none does while a thread sends. */
EVENT(sent)
{
    BENCH_MARK(send_ends);
    (void)!timer_arm_after(&period, PERIOD_MS * TIME_US_PER_MS);
}

static struct link_transfer transfer = {.ended = &sent};

EVENT(due)
{
    assert(transfer.result == 0);
    transfer.destination = link_short(PEER);
    transfer.packet = fresh_packet(SHORT_BYTES);
    BENCH_MARK(send_begins);
    int error = link_begin(&transfer);
    assert(error == 0);
}

THREAD(opener, TALK_STACK, PRIORITY_APP)
{
    open_link();
    event_post(&due);
}
