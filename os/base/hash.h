/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* FNV-1a: of numbers of one lot, which differ in few bits, values that differ in many. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stdint.h>

#define HASH_BEGIN 2166136261u

/* Goes on with a hash, of HASH_BEGIN or of other bytes. */
static inline uint32_t hash(uint32_t state, const uint8_t *bytes, uint8_t length)
{
    for (; length > 0; length--) {
        state = (state ^ *bytes++) * 16777619u;
    }
    return state;
}

static inline uint16_t hash_fold(uint32_t state)
{
    return (uint16_t)(state >> 16 ^ state);
}

#endif
