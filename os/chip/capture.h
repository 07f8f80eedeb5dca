/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What a chip offers to a driver of a part that shows by a pulse when something happens: the time
 * of the pulse's beginning, captured by hardware, and its length.
 *
 * The chip counts a clock of its own, and keeps the last pulses. A count becomes a time of the
 * system's clock by comparisons of both, in a program that asks for times. The driver starts the
 * counter together with its part.
 *
 * The pin is the chip's: PD4 of the ATmega128, whose timer 1 then is no task's: RT_TIMER_B.
 */
#ifndef CHIP_CAPTURE_H
#define CHIP_CAPTURE_H

#include <stdbool.h>
#include <stdint.h>

/* Starts to count and to capture. Meanwhile the chip sleeps no deeper than it can count.
 * context   event
 */
void capture_start(void);

/* Stops it; the pulses are forgotten.
 * context   event
 */
void capture_stop(void);

/* The present count, which wraps after more than an hour.
 * context   event
 */
uint32_t capture_now(void);

/* Looks for a pulse among the last ones, at least 8, and forgets it.
 * since     a count; earlier pulses are left out
 * us        its length in microseconds, to some of them
 * which     of several such pulses
 * begin     the count at which it began
 * returns   whether there is one
 * context   event
 */
enum capture_which { CAPTURE_OLDEST, CAPTURE_NEWEST };
bool capture_find(uint32_t since, uint16_t us, enum capture_which which, uint32_t *begin);

/* The counts after which a length has passed.
 * us        at most 30,000
 * context   any
 */
uint16_t capture_counts(uint16_t us);

/* -------- times, in a program that asks for them (capture_time.c) */

/* The counter starts, and its comparisons are forgotten. Called by capture_start.
 * context   event
 */
void capture_time_forget(void);

/* The time at which a count was or will be reached. The first call since the start compares the
 * clocks.
 * returns   microseconds of the system clock
 * context   event
 */
uint64_t capture_time(uint32_t count);

/* Compares the clocks: the more lately, the more exact are times. To be called every few seconds.
 * context   event
 * blocks    no       cost  waits for a tick of the system's clock: on the ATmega128 up to 1 ms, and
 *           3 ms at a wrap of its counter, each 250 ms
 */
void capture_time_compare(void);

#endif
