/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Xorshift, 32 bits. */
#include "random.h"

static uint32_t next(void)
{
    static uint32_t state = 2463534242u;
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

uint32_t random_below(uint32_t count)
{
    return next() % count;
}

uint64_t random_of(unsigned bits)
{
    uint64_t number = (uint64_t)next() << 32 | next();
    return number >> 1 >> (63u - random_below(bits + 1));
}
