/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Conversion between ticks and microseconds by plain division, which the kernel avoids. */
#ifndef TEST_MOTE_DEADLINES_EXACT_H
#define TEST_MOTE_DEADLINES_EXACT_H

#include <stdint.h>

#include <lichen/time.h>

/* So many ticks take 15,625 microseconds: 512 on the SAM R21. */
#define EXACT_TICKS (CHIP_TICK_HZ / 64u)

/* The last moment that is ever reached: 1,141 years ahead, or more. */
#define LAST_US (UINT64_MAX / EXACT_TICKS)

/* The first tick at or after a time. */
static inline uint64_t tick_of(uint64_t us)
{
    return us / 15625u * EXACT_TICKS + (us % 15625u * EXACT_TICKS + 15624u) / 15625u;
}

/* When a tick begins: the tick is the first one at or after that time. */
static inline uint64_t us_of(uint64_t tick)
{
    return tick / EXACT_TICKS * 15625u + tick % EXACT_TICKS * 15625u / EXACT_TICKS;
}

#endif
