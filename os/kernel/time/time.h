/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Time as the kernel sees it: a list of deadlines, in ticks (CHIP_TICK_HZ), 64 bits, which one
 * alarm of the chip serves; timers, which are made of them; and alarms in microseconds, which are
 * not. */
#ifndef KERNEL_TIME_TIME_H
#define KERNEL_TIME_TIME_H

#include <stddef.h>
#include <stdint.h>

#include <lichen/alarm.h>
#include <lichen/timer.h>

/* No deadline. */
#define DEADLINE_NEVER UINT64_MAX

/* Ticks since start-up.
 * context   event, thread
 * cost      the time of a reading, chip_ticks_request to chip_ticks_take
 */
uint64_t deadline_now(void);

/* The first tick at or after a time in microseconds; TIME_NEVER gives DEADLINE_NEVER.
 * context   any
 */
uint64_t deadline_of_us(uint64_t us);

/* A product modulo 2^64, without the compiler's library.
 * context   any
 */
uint64_t time_product(uint64_t factor, uint16_t other);

/* Called when a deadline has passed.
 * reached   a tick at or after the deadline that is known to have been reached
 * context   event
 */
typedef void deadline_fn(struct deadline *passed, const uint64_t *reached);

/* Inserts a deadline, whose tick is set, into the list. A past deadline expires at once, but never
 * inside this call.
 * context   event
 * cost      O(n) deadlines before it; if it is the first, chip_alarm_set
 */
void deadline_insert(struct deadline *deadline, deadline_fn *expire);

/* The same for a deadline whose tick is a relative time, less than 2^63, which counts from now. No
 * caller waits for the slow clock: the deadline goes into the list when a reading has arrived that
 * was requested now, or is known to be hardly older.
 * context   event
 * cost      chip_ticks_await if no reading is under way; when that has arrived, O(n) deadlines
 *           before it, and chip_alarm_set if it is the first
 */
void deadline_insert_after(struct deadline *deadline, deadline_fn *expire);

/* Removes a deadline from the list. The alarm stays set: it finds nothing to do then, which costs
 * less than setting it again each time a wait with a deadline ends in time.
 * context   event
 * cost      O(n) deadlines
 */
void deadline_remove(struct deadline *deadline);

/* A deadline in either list that lies in a piece of memory, or 0.
 * context   event
 * cost      O(n) deadlines
 */
struct deadline *deadline_in(const void *begin, size_t bytes);

/* What kernel_alarm and kernel_tick_arrived (chip/chip.h) are where there are deadlines. */
void deadline_alarm(const uint64_t *reached);
void deadline_tick_arrived(const uint64_t *read);

/* A call to arm a timer, on its way to the kernel level. */
struct timer_call {
    struct timer *timer;
    uint64_t tick; /* a moment or a length */
};

_Static_assert(offsetof(struct timer, deadline) == 0, "a timer begins with its deadline");
static inline struct timer *timer_of(struct deadline *deadline)
{
    return (struct timer *)deadline;
}

/* Inserts a timer into the list of deadlines.
 * insert    deadline_insert for an absolute time, deadline_insert_after for a relative one
 * returns   0, or ERR_BUSY if it is there
 * context   event
 */
int timer_insert(const struct timer_call *call, deadline_fn *expire,
                 void (*insert)(struct deadline *deadline, deadline_fn *expire));

/* What alarm_set does, of an alarm that is not set.
 * us        at most ALARM_MAX_US
 * context   event
 */
void alarm_begin(struct alarm *alarm, uint16_t us);

/* alarm_cancel.
 * context   event
 */
int alarm_end(void *alarm);

#endif
