/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The texts of AES, and how to count cycles (cipher/samr21/of_chip.h has the names). */
#ifndef OF_CHIP_H
#define OF_CHIP_H

#include <avr/io.h>
#include <stdint.h>

#define TEXTS_OF_AES aes_avr8_encrypt, aes_bytes_encrypt, aes_words_encrypt

typedef uint16_t cycles_t;

static inline __attribute__((always_inline)) cycles_t cycles_now(void)
{
    return TCNT1;
}

#endif
