/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The time as far as it is known, in parts. */
#include <lichen/kernel.h>
#include <lichen/time.h>

#include "chip/chip.h"
#include "kernel/start.h"

NEEDS(ticks_start);

#define SHIFT ((unsigned)__builtin_ctz(CHIP_TICK_HZ))
_Static_assert((CHIP_TICK_HZ - 1) * UINT64_C(15625) <= UINT32_MAX, "a second's ticks, in parts");

static void know(void *tick)
{
    chip_ticks_known(tick);
}

void time_known(struct time_moment *moment)
{
    uint64_t tick;
    kernel_do(know, &tick);
    uint32_t fraction = (uint32_t)tick & (CHIP_TICK_HZ - 1);
    moment->s = (uint32_t)(tick >> SHIFT);
    moment->us = fraction * TIME_PARTS_PER_TICK / TIME_PARTS_PER_US;
}
