/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A declared thread is started, runs to its end, and is started again.
 *
 *   start_call .. start_return     of a less urgent thread, in the caller
 *   event_call .. event_return     the same in an event
 *   urgent_call .. urgent_begins   of a more urgent thread, to its first instruction
 *   urgent_ends .. urgent_return   and back from its return to the caller
 */
#include <lichen/event.h>
#include <lichen/thread.h>

#include "../../kernel/mark.h"

THREAD_STOPPED(less_urgent, 256, PRIORITY_LOW)
{
}

THREAD_STOPPED(more_urgent, 256, PRIORITY_HIGH)
{
    BENCH_MARK(urgent_begins);
    BENCH_MARK(urgent_ends);
}

/* Counted after the mark, since AVR's linker makes a jump of a call before a return. */
volatile uint8_t started;

EVENT(starts)
{
    BENCH_MARK(event_call);
    thread_start(&less_urgent, 0);
    BENCH_MARK(event_return);
    started++;
}

THREAD(starter, 256, PRIORITY_APP)
{
    for (;;) {
        BENCH_MARK(start_call);
        thread_start(&less_urgent, 0);
        BENCH_MARK(start_return);
        thread_join(&less_urgent);
        event_post(&starts);
        thread_join(&less_urgent);
        BENCH_MARK(urgent_call);
        thread_start(&more_urgent, 0);
        BENCH_MARK(urgent_return);
    }
}
