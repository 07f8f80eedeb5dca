/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An interrupt posts an event, whose handler wakes a more urgent thread than the one that computes.
 *
 *   event_posted .. event_run        from before the post to the handler's first instruction
 *   signal_handler .. event_woken    from the handler's first instruction to the thread's
 */
#include <lichen/event.h>
#include <lichen/interrupt.h>
#include <lichen/notify.h>

#include "../mark.h"
#include "signal.h"

NOTIFY(signalled);
volatile uint32_t rounds;

EVENT(signal)
{
    BENCH_MARK(event_run);
    notify_post(&signalled);
}

SIGNAL_HANDLER
{
    signal_clear();
    BENCH_MARK(event_posted);
    event_post_from(&signal, LEVEL_DRIVER);
}

THREAD(urgent, 256, PRIORITY_HIGH)
{
    signal_start(4001);
    for (;;) {
        notify_wait(&signalled);
        BENCH_MARK(event_woken);
    }
}

THREAD(computes, 256, PRIORITY_APP)
{
    for (;;) {
        rounds++;
    }
}
