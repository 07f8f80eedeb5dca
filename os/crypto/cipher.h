/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The block cipher of the board: AES-128, enciphering only, which is all that CCM* needs.
 *
 * The board's wiring names who does it (os/board/<name>/cipher.c): a text for its processor
 * (crypto/aes.h), or a radio that has a cipher. It is no pointer in a structure, so that
 * `lichen build` sees what is called, and costs no more than a jump.
 *
 * A cipher cannot fail, so that nobody has to handle that a frame is half enciphered. A driver
 * whose part may not answer falls back on the processor's.
 */
#ifndef CRYPTO_CIPHER_H
#define CRYPTO_CIPHER_H

#include <stdint.h>

#define CIPHER_BYTES 16u

/* A block of text, or a key; in the order in which FIPS-197 writes it. Aligned for words. */
union cipher_block {
    uint8_t bytes[CIPHER_BYTES];
    uint32_t words[CIPHER_BYTES / sizeof(uint32_t)];
};

/* Enciphers a block in place. The key is not changed, and not kept where the next call cannot
 * replace it.
 * context   thread
 * blocks    no in software; a driver of a radio may wait for its turn
 *           cost  crypto/aes.h
 */
void cipher_encrypt(const union cipher_block *key, union cipher_block *block);

/* Makes ENGINE_encrypt the board's cipher. */
#define CIPHER_IS(engine)                                                                          \
    void cipher_encrypt(const union cipher_block *key, union cipher_block *block)                  \
    {                                                                                              \
        engine##_encrypt(key, block);                                                              \
    }

#endif
