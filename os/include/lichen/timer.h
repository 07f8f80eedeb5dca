/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Timers: a deadline that calls back at the kernel level.
 *
 *     EVENT(sample) { ... }
 *     TIMER(sample_timer, sample);
 *     ... timer_arm(&sample_timer, time_now_us() + 10 * TIME_US_PER_MS) ...
 *
 * The list is sorted; only its first deadline is in the hardware.
 */
#ifndef LICHEN_TIMER_H
#define LICHEN_TIMER_H

#include <lichen/error.h>
#include <lichen/event.h>
#include <lichen/time.h>

/* A deadline in the kernel's list. Written at the kernel level only. */
struct deadline {
    uint64_t tick;                           /* when, in ticks since start-up */
    struct deadline *next;                   /* the next later one */
    void (*expire)(struct deadline *passed); /* what then; 0 while not in the list */
};

/* A timer. Storage is the caller's; the kernel's from arming until it fires or is cancelled. */
struct timer {
    struct deadline deadline;
    struct event *event; /* what it posts when it fires; constant */
};

/* Declares a timer that posts an event when it fires. */
#define TIMER(name, event_) struct timer name = {.event = &(event_)}

/* Arms a timer to fire once. May fire late, never early.
 * deadline  microseconds of the system clock; the past fires at once
 * returns   0, or ERR_BUSY if it is armed
 * context   event, thread
 * blocks    no       cost  O(n) armed timers, and up to 400 us if it becomes the first
 * owns      the timer belongs to the kernel until it fires or is cancelled
 */
MUST_CHECK int timer_arm(struct timer *timer, uint64_t deadline);

/* Takes an armed timer back. Its event may already be pending.
 * returns   0, or ERR_EMPTY if it was not armed
 * context   event, thread
 * blocks    no       cost  O(n) armed timers
 */
int timer_cancel(struct timer *timer);

#endif
