/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An ATmega128 has one clock, and its counter wraps each 250 ms by itself. */
#ifndef RANDOM_TIMERS_DISTURB_H
#define RANDOM_TIMERS_DISTURB_H

#include <stdint.h>

static inline void disturb_clock(uint32_t random)
{
    (void)random;
}

static inline void disturb_counter(uint32_t random)
{
    (void)random;
}

#endif
