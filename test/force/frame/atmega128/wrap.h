/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Advances to where the counter of the tick wraps, timer 0 of the ATmega128
 * (frame/samr21/wrap.h has the names). It does so every 250 ms.
 */
#ifndef TEST_FORCE_FRAME_WRAP_H
#define TEST_FORCE_FRAME_WRAP_H

#include <avr/io.h>
#include <stdint.h>

#include <lichen/time.h>

typedef uint8_t force_ticks_t;
/* A reading right after sleep is old, and the alarm comes when its tick is over. */
#define FORCE_TICKS_LATE 2u

static inline force_ticks_t force_ticks(void)
{
    return TCNT0;
}

/* Sets the counter while no alarm is set. */
static inline void force_ticks_set(force_ticks_t ticks)
{
    TCNT0 = ticks;
    while (ASSR & 1 << TCN0UB) {
    }
}

/* Runs begin shortly before a wrap. In the program's first 65 s, ticks that are 0 because they were
 * never set then lie in the future, in 16 bits of milliseconds. */
#define WRAP_US        (40u * UINT64_C(1000000))
#define START_US       30000u /* before that */
#define BEFORE_WRAP_US 3000u

static inline void force_start_wrap(void)
{
    sleep_until_us(WRAP_US - START_US);
}

static inline void force_pass_wrap(void)
{
    sleep_until_us(WRAP_US - BEFORE_WRAP_US);
}

#endif
