/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A clock for lengths of some milliseconds: the system's, which is fine enough. The same names for
 * every chip.
 */
#ifndef TEST_MOTE_FRAME_FINE_CLOCK_H
#define TEST_MOTE_FRAME_FINE_CLOCK_H

#include <lichen/time.h>

typedef uint64_t fine_t;

static inline fine_t fine_now(void)
{
    return time_now_us();
}

/* Microseconds from one moment to a later one. */
static inline uint32_t fine_us(fine_t from, fine_t to)
{
    return (uint32_t)(to - from);
}

#endif
