/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AES-128 by bytes, as FIPS-197 describes it, for any processor. */
#include "crypto/aes.h"

#include "crypto/aes_box.h"

enum {
    ROUNDS = 10,
    COLUMN = 4, /* bytes */
};

/* Times x in GF(2^8). */
static inline uint8_t times_x(uint8_t byte)
{
    return (uint8_t)((byte << 1) ^ (0x1b & -(byte >> 7)));
}

/* KeyExpansion, a round further. */
static void advance(uint8_t key[CIPHER_BYTES], uint8_t constant)
{
    key[0] ^= aes_box[key[13]] ^ constant;
    key[1] ^= aes_box[key[14]];
    key[2] ^= aes_box[key[15]];
    key[3] ^= aes_box[key[12]];
    for (uint8_t i = COLUMN; i < CIPHER_BYTES; i++) {
        key[i] ^= key[i - COLUMN];
    }
}

/* AddRoundKey. */
static void add(uint8_t state[CIPHER_BYTES], const uint8_t key[CIPHER_BYTES])
{
    for (uint8_t i = 0; i < CIPHER_BYTES; i++) {
        state[i] ^= key[i];
    }
}

/* SubBytes and ShiftRows: row r of a column comes from the r-th column behind it. */
static void substitute(uint8_t to[CIPHER_BYTES], const uint8_t from[CIPHER_BYTES])
{
    uint8_t at = 0;

    for (uint8_t i = 0; i < CIPHER_BYTES; i++) {
        to[i] = aes_box[from[at]];
        at = (at + COLUMN + 1) % CIPHER_BYTES;
    }
}

/* MixColumns. */
static void mix(uint8_t state[CIPHER_BYTES])
{
    for (uint8_t *c = state; c < state + CIPHER_BYTES; c += COLUMN) {
        uint8_t first = c[0], all = c[0] ^ c[1] ^ c[2] ^ c[3];
        c[0] ^= all ^ times_x(c[0] ^ c[1]);
        c[1] ^= all ^ times_x(c[1] ^ c[2]);
        c[2] ^= all ^ times_x(c[2] ^ c[3]);
        c[3] ^= all ^ times_x(c[3] ^ first);
    }
}

void aes_bytes_encrypt(const union cipher_block *key, union cipher_block *block)
{
    union cipher_block round_key = *key, moved;
    uint8_t constant = 1;

    add(block->bytes, round_key.bytes);
    for (uint8_t round = 1; round <= ROUNDS; round++) {
        advance(round_key.bytes, constant);
        constant = times_x(constant);
        substitute(moved.bytes, block->bytes);
        *block = moved;
        if (round < ROUNDS) {
            mix(block->bytes);
        }
        add(block->bytes, round_key.bytes);
    }
}
