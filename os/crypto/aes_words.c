/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AES-128 by words, for a processor of 32 bits that is little-endian and has few registers. A word
 * is a column, whose first row is in the least significant byte.
 *
 * What a round works on is an array of columns. What belongs together lies at the same distances
 * from each column, so that one register points to all of it; the state is there twice in a row for
 * the bytes that ShiftRows brings together. os/lichen.cmake has this file compiled for speed, which
 * takes as many bytes of code.
 */
#include "crypto/aes.h"

#include "crypto/aes_box.h"

enum {
    ROUNDS = 10,
    COLUMNS = 4,
};

/* Parts of the array. */
enum {
    STATE = 0,
    AGAIN = STATE + COLUMNS,
    NEXT = AGAIN + COLUMNS, /* the state after the round */
    KEY = NEXT + COLUMNS,   /* the round key */
    ALL = KEY + COLUMNS,
};

static inline uint32_t rotate(uint32_t word, unsigned bits)
{
    return word >> bits | word << (32 - bits);
}

/* Each byte times x in GF(2^8). */
static inline uint32_t times_x(uint32_t word)
{
    uint32_t high = word >> 7 & 0x01010101u;

    return (word << 1 & 0xfefefefeu) ^ high * 0x1bu;
}

/* MixColumns. */
static inline uint32_t mix(uint32_t column)
{
    uint32_t next = rotate(column, 8);
    uint32_t both = column ^ next;

    return times_x(both) ^ next ^ rotate(both, 16);
}

/* SubBytes for the word that has the bytes a, b, c and d behind a column. */
static inline uint32_t substitute(const uint32_t *column, unsigned a, unsigned b, unsigned c,
                                  unsigned d)
{
    const uint8_t *at = (const uint8_t *)column;
    uint32_t word = aes_box[at[d]];

    word = word << 8 | aes_box[at[c]];
    word = word << 8 | aes_box[at[b]];
    return word << 8 | aes_box[at[a]];
}

void aes_words_encrypt(const union cipher_block *key, union cipher_block *block)
{
    uint32_t all[ALL];
    uint32_t constant = 1;

    for (unsigned i = 0; i < COLUMNS; i++) {
        all[KEY + i] = key->words[i];
        all[NEXT + i] = key->words[i] ^ block->words[i];
    }
    for (unsigned round = 1; round <= ROUNDS; round++) {
        for (unsigned i = 0; i < COLUMNS; i++) {
            all[STATE + i] = all[NEXT + i];
            all[AGAIN + i] = all[NEXT + i];
        }
        uint32_t word = constant ^ substitute(&all[KEY + COLUMNS - 1], 1, 2, 3, 0);
        for (uint32_t *at = all; at < all + COLUMNS; at++) {
            uint32_t column = substitute(at, 0, 5, 10, 15);
            if (round < ROUNDS) {
                column = mix(column);
            }
            word ^= at[KEY];
            at[KEY] = word;
            at[NEXT] = column ^ word;
        }
        constant = times_x(constant);
    }
    for (unsigned i = 0; i < COLUMNS; i++) {
        block->words[i] = all[NEXT + i];
    }
}
