/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How many ticks a count of the slow clock is: one, or what was measured.
 *
 * The counter and its compare value know counts only. The kernel knows ticks only, of which there
 * are CHIP_TICK_HZ in a second. In programs whose manifest says `tick = "calibrated"`, a count is
 * as many ticks as the last calibration has found (tick_length.c); in others it is one tick, and
 * nothing here costs anything.
 */
#ifndef SAMR21_TICK_LENGTH_H
#define SAMR21_TICK_LENGTH_H

#include <stdint.h>

#include "chip/chip.h"
#include "chip/samr21/reg/rtc.h"

#ifdef LICHEN_TICK_CALIBRATED

/* CHIP_READING_TICKS counts, where a count may be longer than a tick. */
#define READING_TICKS (CHIP_READING_TICKS + 1u)

/* The tick in progress at the beginning of a count.
 * context   event
 * cost      190 cycles, in a program whose timers fire at random
 */
uint64_t tick_of_count(uint64_t count);

/* A tick that has not begun, or just begins, at the beginning of a count: at most one later.
 * context   event
 * cost      as tick_of_count
 */
uint64_t tick_from_count(uint64_t count);

/* A count at whose beginning the tick has begun: the first such count or, for a tick less than 36
 * hours ahead, one of the two after it.
 * context   event
 * cost      217 cycles
 */
uint64_t count_of_tick(uint64_t tick);

/* Tells the counter of the crystal that the count has just been reached (calibration.c).
 * context   the handler of the match
 */
void tick_matched(uint32_t count);

/* Lets each match of the counter be an event for the counter of the crystal, before the counter of
 * ticks is enabled.
 * context   init
 */
static inline void tick_emit_matches(void)
{
    RTC->EVCTRL = RTC_EVCTRL_CMPEO0;
}

/* Gives counts their length from `count` on, at which the tick in progress stays the same.
 * excess    how much longer a count is than a tick, in ticks / 2^32
 * context   event
 */
void tick_length_set(uint64_t count, int32_t excess);

#else

#define READING_TICKS CHIP_READING_TICKS

static inline uint64_t tick_of_count(uint64_t count)
{
    return count;
}

static inline uint64_t tick_from_count(uint64_t count)
{
    return count;
}

static inline uint64_t count_of_tick(uint64_t tick)
{
    return tick;
}

static inline void tick_matched(uint32_t count)
{
    (void)count;
}

static inline void tick_emit_matches(void)
{
}

static inline void tick_length_set(uint64_t count, int32_t excess)
{
    (void)count;
    (void)excess;
}

#endif
#endif
