/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What is known of the number: four words of flash. The same names for every chip. */
#ifndef EXPECTED_H
#define EXPECTED_H

#include <stdbool.h>
#include <stdint.h>

static inline bool is_expected(const uint8_t *number)
{
    static const uint32_t volatile *const words[] = {
        (const uint32_t volatile *)0x0080a00c, (const uint32_t volatile *)0x0080a040,
        (const uint32_t volatile *)0x0080a044, (const uint32_t volatile *)0x0080a048};

    for (unsigned i = 0; i < 4; i++) {
        uint32_t word = (uint32_t)number[4 * i] << 24 | (uint32_t)number[4 * i + 1] << 16 |
                        (uint32_t)number[4 * i + 2] << 8 | number[4 * i + 3];
        if (word != *words[i]) {
            return false;
        }
    }
    return true;
}

#endif
