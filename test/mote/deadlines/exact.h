/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Conversion between ticks and microseconds by plain division, which the kernel avoids. */
#ifndef TEST_MOTE_DEADLINES_EXACT_H
#define TEST_MOTE_DEADLINES_EXACT_H

#include <stdint.h>

/* The first tick at or after a time. */
static inline uint64_t tick_of(uint64_t us)
{
    return us / 15625u * 512u + (us % 15625u * 512u + 15624u) / 15625u;
}

/* When a tick begins: the tick is the first one at or after that time. */
static inline uint64_t us_of(uint64_t tick)
{
    return tick / 512u * 15625u + tick % 512u * 15625u / 512u;
}

#endif
