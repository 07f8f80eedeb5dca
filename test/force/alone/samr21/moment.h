/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* When runs begin: 40 s after the tick's counter was 0. A time that was never set is 0, which then
 * lies in the future in 16 bits of milliseconds. The same names for every chip. */
#ifndef TEST_FORCE_ALONE_MOMENT_H
#define TEST_FORCE_ALONE_MOMENT_H

#include <stdint.h>

#include "chip/chip.h"
#include "wrap.h"

/* A sleep of 0 sets an alarm so near that the clock must be read to see whether it has passed. */
#define BEGIN_TICKS (40u * CHIP_TICK_HZ + 7u)

static inline uint32_t ticks_now(void)
{
    chip_ticks_request();
    return chip_ticks_take();
}

/* At the program's start. */
static inline void moment_start(void)
{
}

/* Sets the clock to the moment at which a run begins, and forth by as many ticks since the last
 * reading.
 * returns   the tick
 */
static inline uint32_t moment_begin(uint32_t unread_ticks)
{
    force_ticks_set(BEGIN_TICKS - unread_ticks);
    (void)ticks_now();
    force_ticks_set(BEGIN_TICKS);
    return BEGIN_TICKS;
}

#endif
