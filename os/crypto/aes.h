/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AES-128 in software (FIPS-197): by words for the ARM, in assembly for the AVR, and by bytes for
 * any processor. Tests hold all of them to the same vectors.
 *
 * Each computes the round keys as it goes, so that a key takes 16 bytes of RAM and not 176. There
 * is no branch and no loop that depends on key or text. The S-box is a table in flash, and its
 * entries are read by secret indices: that takes the same time on the ATmega128, and on the SAM R21
 * below 24 MHz, where flash has no wait state. At 48 MHz the time tells which lines of flash were
 * in the chip's cache; somebody who measures it to some cycles, from outside, over many blocks of
 * one key, might learn about the key.
 */
#ifndef CRYPTO_AES_H
#define CRYPTO_AES_H

#include "crypto/cipher.h"

/* As cipher_encrypt, by words of 32 bits.
 * context   any
 * blocks    no       cost  3,276 cycles on the SAM R21 [bench crypto]
 */
void aes_words_encrypt(const union cipher_block *key, union cipher_block *block);

/* As cipher_encrypt, by bytes.
 * context   any
 * blocks    no       cost  11,700 cycles on the ATmega128 [test mote/cipher]
 */
void aes_bytes_encrypt(const union cipher_block *key, union cipher_block *block);

/* As cipher_encrypt, in assembly: where the processor is an AVR (os/arch/avr8/aes.S).
 * context   any
 * blocks    no       cost  3,454 cycles on the ATmega128 [bench crypto]
 */
void aes_avr8_encrypt(const union cipher_block *key, union cipher_block *block);

#endif
