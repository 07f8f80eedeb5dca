/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What random timers have to bear on a SAM R21. */
#ifndef RANDOM_TIMERS_DISTURB_H
#define RANDOM_TIMERS_DISTURB_H

#include <stdint.h>

#include "chip/chip.h"

#include "counter.h"

static inline void disturb_clock(uint32_t random)
{
    static const enum chip_clock clocks[] = {CHIP_CLOCK_4_MHZ, CHIP_CLOCK_8_MHZ, CHIP_CLOCK_48_MHZ};
    chip_clock_set(clocks[random % 3]);
}

/* Goes to some ticks before the counter's next multiple of 2^16, 2^31 or 2^32. */
static inline void disturb_counter(uint32_t random)
{
    static const uint8_t bits[] = {16, 31, 32};
    uint64_t size = UINT64_C(1) << bits[random % 3];
    uint32_t now = counter_read();
    uint32_t count = (uint32_t)((now / size + 1) * size - random / 3 % 4096);
    if (count - now < UINT32_MAX / 8 * 7) {
        counter_set(count);
    }
}

#endif
