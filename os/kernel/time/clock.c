/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Microseconds from ticks and back: a tick is 15,625 / 2^n microseconds. */
#include <lichen/time.h>

#include "chip/chip.h"
#include "kernel/time/time.h"

/* n: 9 for 32,768 Hz. */
#define SHIFT ((unsigned)__builtin_ctz(TIME_PARTS_PER_US))
_Static_assert(CHIP_TICK_HZ *UINT64_C(15625) == (UINT64_C(1) << SHIFT) * TIME_US_PER_S,
               "length of a tick");

/* The carry is computed by hand: the compiler's 64-bit arithmetic would take half as much again. */
uint64_t time_product(uint64_t factor, uint16_t other)
{
    uint32_t lowest = ((uint32_t)factor & 0xffffu) * other;
    uint32_t middle = ((uint32_t)factor >> 16) * other;
    uint32_t low = lowest + (middle << 16);
    uint32_t high = (uint32_t)(factor >> 32) * other + (middle >> 16) + (low < lowest);
    return (uint64_t)high << 32 | low;
}

uint64_t time_now_us(void)
{
    return time_product(deadline_now(), TIME_PARTS_PER_TICK) >> SHIFT;
}

/* 2^16 / 15,625 is 4.194304, and this its fraction in 2^16ths, cut off. With what else is cut off,
 * a digit is too small by 2 at most. */
#define FRACTION 12733u

/* A number by its digits of 16 bits, the lowest first. */
union digits {
    uint64_t whole;
    uint16_t digit[4];
};
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the lowest digit is first in memory");

/* A division by hand, in digits of 16 bits: it needs multiplications of 16 bits only, while those
 * of 64 bits are calls, and those of 32 bits, too, where registers have 8. What is left of a digit
 * fits into 16 bits, as it is less than three ticks, and so do the differences that lead to it,
 * modulo 2^16. */
uint64_t deadline_of_us(uint64_t us)
{
    if (us > UINT64_MAX >> SHIFT) {
        return DEADLINE_NEVER;
    }
    union digits ticks = {.whole = us << SHIFT};
    unsigned rest = 0;                                           /* less than a tick */
    uint16_t *place = &ticks.digit[ticks.digit[3] != 0 ? 4 : 3]; /* 0 for the first days */
    do {
        unsigned low = *--place;
        unsigned digit = 4u * rest + (unsigned)((uint32_t)rest * FRACTION >> 16) + (low >> 14);
        rest = (uint16_t)(low - digit * TIME_PARTS_PER_TICK);
        while (rest >= TIME_PARTS_PER_TICK) {
            rest -= TIME_PARTS_PER_TICK;
            digit++;
        }
        *place = (uint16_t)digit;
    } while (place != ticks.digit);
    return rest != 0 ? ticks.whole + 1 : ticks.whole;
}
