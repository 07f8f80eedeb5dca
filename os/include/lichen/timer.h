/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Timers: events posted at a moment, after a while, or every so often.
 *
 *     EVENT(sample) { ... }
 *     TIMER(sample_timer, sample);
 *     ... timer_arm_after(&sample_timer, 10 * TIME_US_PER_MS) ...
 *     ... timer_arm_every(&sample_timer, time_now_us(), TIME_US_PER_S) ...
 *
 * A timer is the only way to delay a post, and all that it does is to post. What it posts while its
 * event is still pending coalesces, as every post does: a period that passes meanwhile is not made
 * up for. When the kernel level was held up for several periods, the event runs once for all of
 * them, or once for the first and once for all others. The next one comes when it would have come
 * anyway: a periodic timer never drifts.
 *
 * The list is sorted; only its first deadline is in the hardware.
 */
#ifndef LICHEN_TIMER_H
#define LICHEN_TIMER_H

#include <lichen/error.h>
#include <lichen/event.h>
#include <lichen/time.h>

/* The shortest and the longest period, microseconds. What must come more often than the kernel can
 * set its alarm is a real-time task. */
#define TIMER_PERIOD_MIN_US UINT64_C(1000)
#define TIMER_PERIOD_MAX_US (UINT64_C(36) * 3600 * TIME_US_PER_S)

/* A deadline in the kernel's list. Written at the kernel level only. */
struct deadline {
    uint64_t tick;         /* when, in ticks since start-up */
    struct deadline *next; /* the next later one */
    /* What then, at a tick that is known to be reached; 0 while not in the list. */
    void (*expire)(struct deadline *passed, uint64_t reached);
};

/* A timer. It may also be made by hand, with its event, the rest 0. Storage is the caller's; the
 * kernel's from arming until it fires for the last time or is cancelled. Written at the kernel
 * level only. */
struct timer {
    struct deadline deadline;
    struct event *event;   /* what it posts; constant */
    uint32_t period_ticks; /* rounded up */
    uint16_t excess;       /* by so much, in ticks / 15,625 */
    uint16_t credit;       /* what the excesses of past periods sum up to, below a tick */
};

/* Declares a timer that posts an event when it fires. */
#define TIMER(name, event_) struct timer name = {.event = &(event_)}

/* Arms a timer to fire once, at a moment. Never early; late as lichen/time.h says.
 * deadline  microseconds of the system clock; the past, 0 included, fires at once: for a thread
 *           perhaps before the call returns, for an event after it has run; what is more than 1,141
 *           years ahead, TIME_NEVER included, never fires
 * returns   0, or ERR_BUSY if it is armed
 * context   event, thread
 * blocks    no       cost  O(n) armed timers; 541 cycles for the first [bench kernel/timer]
 * owns      the timer belongs to the kernel until it fires or is cancelled
 */
MUST_CHECK int timer_arm(struct timer *timer, uint64_t deadline);

/* The same, a while from now. Cheaper than to add to time_now_us(), since it does not wait for the
 * clock.
 * delay_us  microseconds; 0 fires at the next tick
 * returns   0, or ERR_BUSY if it is armed
 * context   event, thread
 * blocks    no       cost  below 1,200 cycles [test mote/cpu_time]; O(n) armed timers when
 *           the clock has answered
 * owns      the timer belongs to the kernel until it fires or is cancelled
 */
MUST_CHECK int timer_arm_after(struct timer *timer, uint64_t delay_us);

/* Arms a timer to fire at a moment and then, until it is cancelled, each period after it: the n-th
 * time at the first tick at or after first + n * period, at most one tick later.
 * first      microseconds of the system clock; the past fires at once, and those periods that have
 *            passed since, once
 * period_us  TIMER_PERIOD_MIN_US to TIMER_PERIOD_MAX_US
 * returns    0, ERR_BUSY if it is armed, ERR_INVALID for another period, 0 included
 * context    event, thread
 * blocks     no       cost  O(n) armed timers, now and each time that it fires; O((log n)^2)
 *            periods that were missed
 * owns       the timer belongs to the kernel until it is cancelled
 */
MUST_CHECK int timer_arm_every(struct timer *timer, uint64_t first, uint64_t period_us);

/* Takes an armed timer back; then it can be armed anew, otherwise if wished. Its event may already
 * be pending, and runs then.
 * returns   0, or ERR_EMPTY if it was not armed
 * context   event, thread
 * blocks    no       cost  O(n) armed timers
 */
int timer_cancel(struct timer *timer);

#endif
