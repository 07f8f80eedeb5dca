/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The time to a 64th of a second, when it was noted. */
#include <lichen/time.h>

#include "chip/chip.h"
#include "kernel/start.h"

NEEDS(ticks_start);

#define SHIFT ((unsigned)__builtin_ctz(CHIP_TICK_HZ / TIME_NOTED_HZ))

void time_note_soon(void)
{
    chip_ticks_request();
}

void time_note(void)
{
    chip_ticks_note();
}

/* AVR moves bytes more cheaply than it shifts them. */
uint32_t time_noted(void)
{
    uint64_t ticks = chip_ticks_noted();

    return SHIFT < 8 ? (uint32_t)(ticks >> 8) << (8 - SHIFT) | (uint8_t)ticks >> SHIFT
                     : (uint32_t)(ticks >> SHIFT);
}
