/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Microseconds from ticks and back: a tick is 15,625 / 512 microseconds. */
#include <lichen/time.h>

#include "chip/chip.h"
#include "kernel/time/deadline.h"

#define US_512_PER_TICK 15625u
_Static_assert(CHIP_TICK_HZ *UINT64_C(15625) == UINT64_C(512) * TIME_US_PER_S, "length of a tick");

uint64_t time_now_us(void)
{
    return (deadline_now() * US_512_PER_TICK) >> 9;
}

/* 2^64 * 512 / 15,625: multiplying by it and keeping the upper half divides. What is cut off makes
 * the quotient one too small at most. */
#define TICKS_PER_US_HIGH UINT32_C(140737488)
#define TICKS_PER_US_LOW  UINT32_C(1526122139)

static uint64_t upper_half_of_product(uint64_t us)
{
    uint32_t low = (uint32_t)us;
    uint32_t high = (uint32_t)(us >> 32);
    uint64_t middle =
        (uint64_t)low * TICKS_PER_US_HIGH + (((uint64_t)low * TICKS_PER_US_LOW) >> 32);
    uint64_t carry = (uint64_t)high * TICKS_PER_US_LOW + (uint32_t)middle;
    return (uint64_t)high * TICKS_PER_US_HIGH + (middle >> 32) + (carry >> 32);
}

static uint64_t rounded_up(uint64_t ticks, uint64_t us)
{
    return ticks * US_512_PER_TICK < us << 9 ? ticks + 1 : ticks;
}

uint64_t deadline_of_us(uint64_t us)
{
    if (us > UINT64_MAX >> 9) {
        return DEADLINE_NEVER;
    }
    return rounded_up(upper_half_of_product(us), us);
}

uint64_t deadline_of_short_us(uint32_t us)
{
    /* The factor is too large by less than 1, the product by less than a tick: it stays below the
     * next whole one. */
    return rounded_up(((uint64_t)us * (TICKS_PER_US_HIGH + 1)) >> 32, us);
}
