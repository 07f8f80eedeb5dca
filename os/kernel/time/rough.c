/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The time to a 64th of a second. */
#include <lichen/time.h>

#include "chip/chip.h"
#include "kernel/start.h"

NEEDS(ticks_start);

#define SHIFT ((unsigned)__builtin_ctz(CHIP_TICK_HZ / TIME_ROUGH_HZ))

static bool is_requested;

void time_rough_request(void)
{
    chip_ticks_request();
    is_requested = true;
}

/* AVR moves bytes more cheaply than it shifts them. */
static uint32_t rough_of(uint64_t ticks)
{
    return SHIFT < 8 ? (uint32_t)(ticks >> 8) << (8 - SHIFT) | (uint8_t)ticks >> SHIFT
                     : (uint32_t)(ticks >> SHIFT);
}

uint32_t time_rough(void)
{
    if (!is_requested) {
        time_rough_request();
    }
    is_requested = false;
    return rough_of(chip_ticks_take());
}
