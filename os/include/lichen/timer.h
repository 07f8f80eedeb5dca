/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Timers: events posted at a given time, after a delay, or periodically.
 *
 *     EVENT(sample) { ... }
 *     TIMER(sample_timer, sample);
 *     ... timer_arm_after(&sample_timer, 10 * TIME_US_PER_MS) ...
 *     ... timer_arm_every(&sample_timer, time_now_us(), TIME_US_PER_S) ...
 *
 * A timer is the only way to delay a post, and posting is all that it does. If its event is still
 * pending, the post coalesces, as every post does: a period that passes in the meantime is skipped.
 * If the kernel level was held up for several periods, the event runs once for all of them, or once
 * for the first and once for all others. On the ATmega128, where waking alone may take longer than
 * a period, it runs once for each that is overdue by less than 6.8 ms. The next period ends when it
 * would have ended anyway: a periodic timer never drifts.
 *
 * The list of timers is sorted; only its first deadline is in the hardware.
 */
#ifndef LICHEN_TIMER_H
#define LICHEN_TIMER_H

#include <lichen/error.h>
#include <lichen/event.h>
#include <lichen/loaded.h>
#include <lichen/time.h>

/* The shortest and the longest period, microseconds. Work that must run more often than the kernel
 * can set its alarm belongs in a real-time task. */
#define TIMER_PERIOD_MIN_US UINT64_C(1000)
#define TIMER_PERIOD_MAX_US (UINT64_C(36) * 3600 * TIME_US_PER_S)

/* A deadline in the kernel's list. Written at the kernel level only. */
struct deadline {
    /* Called when it expires, with a tick that is known to have been reached; 0 while not in the
     * list. */
    void (*expire)(struct deadline *passed, const uint64_t *reached);
    struct deadline *next; /* the next later one */
    uint64_t tick;         /* when, in ticks since start-up */
};

/* A timer. It may also be made by hand, with its event and the rest 0. Storage is the caller's; it
 * belongs to the kernel from arming until the timer fires for the last time or is cancelled.
 * Written at the kernel level only. */
struct timer {
    struct deadline deadline;
    struct event *event;   /* what it posts; constant */
    uint32_t period_ticks; /* rounded up */
    uint16_t excess;       /* what rounding has added, in ticks / 15,625 */
    uint16_t credit;       /* what the excesses of past periods sum up to, below a tick */
};

/* Declares a timer that posts an event when it fires. */
#define TIMER(name, event_) struct timer name OBJECT_PLACED(timer, name) = {.event = &(event_)}

/* Arms a timer to fire once, at a given time. Never early; late as lichen/time.h says.
 * deadline  microseconds of the system clock; a past one, 0 included, fires at once: for a thread
 *           perhaps before the call returns, for an event after it has run; one more than 1,141
 *           years ahead, 34 on the ATmega128, TIME_NEVER included, never fires
 * returns   0, or ERR_BUSY if it is armed
 * context   event, thread, coop
 * blocks    no       cost  O(n) armed timers; 432 cycles for the first [bench kernel/timer]
 * owns      the timer belongs to the kernel until it fires or is cancelled
 */
MUST_CHECK int timer_arm(struct timer *timer, uint64_t deadline);

/* Arming for a constant length calls this, so a program that arms only for constants needs no code
 * that converts them.
 * ticks     CHIP_TICK_HZ a second, less than 2^63; UINT64_MAX never fires
 * returns   0, or ERR_BUSY if it is armed
 * context   event, thread, coop
 * blocks    no
 * owns      the timer belongs to the kernel until it fires or is cancelled
 */
MUST_CHECK int timer_arm_after_ticks(struct timer *timer, uint64_t ticks);

/* Arming for other lengths calls this.
 * returns   as timer_arm_after
 * context   event, thread, coop
 * blocks    no
 * owns      the timer belongs to the kernel until it fires or is cancelled
 */
MUST_CHECK int timer_arm_after_converted(struct timer *timer, uint64_t delay_us);

/* The same after a delay. Cheaper than adding the delay to time_now_us(), since it does not wait
 * for the clock.
 * delay_us  microseconds; 0 fires at the next tick
 * returns   0, or ERR_BUSY if it is armed
 * context   event, thread, coop
 * blocks    no       cost  below 1,200 cycles [test mote/cpu_time]; O(n) armed timers when
 *           the clock has answered
 * owns      the timer belongs to the kernel until it fires or is cancelled
 */
MUST_CHECK static inline __attribute__((always_inline)) int timer_arm_after(struct timer *timer,
                                                                            uint64_t delay_us)
{
    if (__builtin_constant_p(delay_us) && delay_us <= TIME_CONSTANT_MAX_US) {
        return timer_arm_after_ticks(timer, TIME_TICKS_OF_US(delay_us));
    }
    return timer_arm_after_converted(timer, delay_us);
}

/* Arms a timer to fire at a given time and then, until it is cancelled, after each period: the n-th
 * time at the first tick at or after first + n * period, at most one tick later.
 * first      microseconds of the system clock; a past one fires at once, and for the periods that
 *            have passed since as said above
 * period_us  TIMER_PERIOD_MIN_US to TIMER_PERIOD_MAX_US
 * returns    0, ERR_BUSY if it is armed, ERR_INVALID for another period, 0 included
 * context    event, thread, coop
 * blocks     no       cost  O(n) armed timers, now and each time it fires; O((log n)^2)
 *            missed periods
 * owns       the timer belongs to the kernel until it is cancelled
 */
MUST_CHECK int timer_arm_every(struct timer *timer, uint64_t first, uint64_t period_us);

/* Cancels an armed timer; it can then be armed again. Its event may already be pending, and then it
 * still runs.
 * returns   0, or ERR_EMPTY if it was not armed
 * context   event, thread, coop
 * blocks    no       cost  O(n) armed timers
 */
int timer_cancel(struct timer *timer);

#endif
