/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* When runs begin (alone/samr21/moment.h has the names): after 40 s, shortly before the counter of
 * timer 0 wraps. */
#ifndef TEST_FORCE_ALONE_MOMENT_H
#define TEST_FORCE_ALONE_MOMENT_H

#include <avr/io.h>
#include <stdint.h>

#include "chip/chip.h"
#include "wrap.h"

/* Some time after a wrap, since the counter is only set forward. */
#define START_TICKS (40u * CHIP_TICK_HZ + 60u)
#define BEGIN_COUNT 0xfeu

static inline uint32_t ticks_now(void)
{
    chip_ticks_request();
    return (uint32_t)chip_ticks_take();
}

/* Idles: each wrap of the counter wakes. */
static inline void moment_start(void)
{
    MCUCR = 1 << SE;
    while (ticks_now() < START_TICKS) {
        __asm__ volatile("sleep" : : : "memory");
    }
}

static inline uint32_t moment_begin(uint32_t unread_ticks)
{
    force_ticks_set((force_ticks_t)(BEGIN_COUNT - unread_ticks));
    uint32_t read = ticks_now();
    force_ticks_set(BEGIN_COUNT);
    return read + unread_ticks;
}

#endif
