/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The texts of AES that the chip can run, and how to count cycles. The same names for every chip.
 */
#ifndef OF_CHIP_H
#define OF_CHIP_H

#include "chip/chip.h"

#define TEXTS_OF_AES aes_words_encrypt, aes_bytes_encrypt

typedef uint32_t cycles_t;

static inline __attribute__((always_inline)) cycles_t cycles_now(void)
{
    return chip_cycle_counter;
}

#endif
