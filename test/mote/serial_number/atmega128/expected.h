/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What is known of the number (samr21/expected.h has the names): family and check sum. */
#ifndef EXPECTED_H
#define EXPECTED_H

#include <stdbool.h>
#include <stdint.h>

static inline bool is_expected(const uint8_t *number)
{
    uint8_t sum = 0;

    for (uint8_t i = 0; i < 7; i++) {
        sum ^= number[i];
        for (uint8_t bit = 0; bit < 8; bit++) {
            sum = (uint8_t)(sum & 1 ? sum >> 1 ^ 0x8c : sum >> 1);
        }
    }
    return number[0] == 1 && number[7] == sum;
}

#endif
