/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* One clock for programs: microseconds since start-up, 64 bits.
 *
 * Underneath it is the chip's tick of 32,768 a second, so values step by
 * 30.5 us. There is no periodic tick: one alarm is set for the earliest deadline,
 * and with no deadline the processor sleeps undisturbed.
 */
#ifndef LICHEN_TIME_H
#define LICHEN_TIME_H

#include <stdint.h>

#define TIME_US_PER_MS 1000u
#define TIME_US_PER_S  1000000u

/* Deadlines, of sleeps, timers and calls that end with `_until` alike: never early, by not even a
 * tick. Late by at most so many ticks, 1.2 ms, and what keeps the processor from whoever waits:
 * interrupts, events, more urgent threads, for however long. A length counts from when its call has
 * reached the kernel; one that begins in the 0.2 ms in which an alarm is being set grows by an
 * interrupt's handler that comes in the same 0.2 ms.
 */
#define TIME_LATE_TICKS 40u

/* No deadline: wait for ever. */
#define TIME_NEVER UINT64_MAX

/* The clock. Never goes back.
 * returns   microseconds since start-up
 * context   event, thread
 * blocks    no       cost  up to 190 us on the SAM R21, 380 right after a deadline was set: it
 * reads the slow clock. A thread lets others run meanwhile; an event should rather take a moment
 *           from elsewhere
 */
uint64_t time_now_us(void);

/* Waits at least this long.
 * context   thread
 * blocks    yes
 */
void sleep_us(uint32_t us);

/* The same in milliseconds, up to 49 days.
 * context   thread
 * blocks    yes
 */
void sleep_ms(uint32_t ms);

/* Waits until a moment of the clock; returns at once if it has passed. A loop that adds its period
 * to the deadline does not drift.
 * deadline  microseconds of the system clock
 * context   thread
 * blocks    yes
 */
void sleep_until_us(uint64_t deadline);

#endif
