/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Each text of AES that the chip can run, not only the board's. */
#include <string.h>

#include "crypto/aes.h"

#include "cycles.h"
#include "test.h"

typedef void text(const union cipher_block *key, union cipher_block *block);

static text *const texts[] = {TEXTS_OF_AES};

#define TEXTS (sizeof(texts) / sizeof(texts[0]))

struct example {
    uint8_t key[CIPHER_BYTES], plain[CIPHER_BYTES], enciphered[CIPHER_BYTES];
};

#define KEY_OF_38A                                                                                 \
    {                                                                                              \
        0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6, 0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f,  \
            0x3c                                                                                   \
    }

/* FIPS-197, appendices B and C.1; NIST SP 800-38A, F.1.1. */
static const ARCH_FLASH struct example examples[] = {
    {KEY_OF_38A,
     {0x32, 0x43, 0xf6, 0xa8, 0x88, 0x5a, 0x30, 0x8d, 0x31, 0x31, 0x98, 0xa2, 0xe0, 0x37, 0x07,
      0x34},
     {0x39, 0x25, 0x84, 0x1d, 0x02, 0xdc, 0x09, 0xfb, 0xdc, 0x11, 0x85, 0x97, 0x19, 0x6a, 0x0b,
      0x32}},
    {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
     {0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee,
      0xff},
     {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30, 0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5,
      0x5a}},
    {KEY_OF_38A,
     {0x6b, 0xc1, 0xbe, 0xe2, 0x2e, 0x40, 0x9f, 0x96, 0xe9, 0x3d, 0x7e, 0x11, 0x73, 0x93, 0x17,
      0x2a},
     {0x3a, 0xd7, 0x7b, 0xb4, 0x0d, 0x7a, 0x36, 0x60, 0xa8, 0x9e, 0xca, 0xf3, 0x24, 0x66, 0xef,
      0x97}},
    {KEY_OF_38A,
     {0xae, 0x2d, 0x8a, 0x57, 0x1e, 0x03, 0xac, 0x9c, 0x9e, 0xb7, 0x6f, 0xac, 0x45, 0xaf, 0x8e,
      0x51},
     {0xf5, 0xd3, 0xd5, 0x85, 0x03, 0xb9, 0x69, 0x9d, 0xe7, 0x85, 0x89, 0x5a, 0x96, 0xfd, 0xba,
      0xaf}},
    {KEY_OF_38A,
     {0x30, 0xc8, 0x1c, 0x46, 0xa3, 0x5c, 0xe4, 0x11, 0xe5, 0xfb, 0xc1, 0x19, 0x1a, 0x0a, 0x52,
      0xef},
     {0x43, 0xb1, 0xcd, 0x7f, 0x59, 0x8e, 0xce, 0x23, 0x88, 0x1b, 0x00, 0xe3, 0xed, 0x03, 0x06,
      0x88}},
    {KEY_OF_38A,
     {0xf6, 0x9f, 0x24, 0x45, 0xdf, 0x4f, 0x9b, 0x17, 0xad, 0x2b, 0x41, 0x7b, 0xe6, 0x6c, 0x37,
      0x10},
     {0x7b, 0x0c, 0x78, 0x5e, 0x27, 0xe8, 0xad, 0x3f, 0x82, 0x23, 0x20, 0x71, 0x04, 0x72, 0x5d,
      0xd4}},
};

#define EXAMPLES (sizeof(examples) / sizeof(examples[0]))

static void expect_bytes(const uint8_t *bytes, const ARCH_FLASH uint8_t *wanted)
{
    for (unsigned i = 0; i < CIPHER_BYTES; i++) {
        expect_equal(bytes[i], wanted[i]);
    }
}

static void load(union cipher_block *block, const ARCH_FLASH uint8_t *bytes)
{
    for (unsigned i = 0; i < CIPHER_BYTES; i++) {
        block->bytes[i] = bytes[i];
    }
}

TEST(blocks_are_those_of_the_standards)
{
    for (unsigned i = 0; i < TEXTS; i++) {
        for (unsigned j = 0; j < EXAMPLES; j++) {
            union cipher_block key, block;
            load(&key, examples[j].key);
            load(&block, examples[j].plain);
            texts[i](&key, &block);
            expect_bytes(block.bytes, examples[j].enciphered);
            expect_bytes(key.bytes, examples[j].key);
        }
    }
}

/* What comes out is the next block, and changes the key. OpenSSL gives the same. */
TEST(a_chain_of_keys_and_blocks_ends_where_it_should)
{
    static const ARCH_FLASH uint8_t last[CIPHER_BYTES] = {0x98, 0xda, 0x54, 0xd1, 0xac, 0xd5,
                                                          0xc0, 0xb8, 0x83, 0xd7, 0x65, 0x37,
                                                          0xa6, 0xaf, 0xda, 0x5d};

    for (unsigned i = 0; i < TEXTS; i++) {
        union cipher_block key = {{0}}, block = {{0}};
        for (unsigned j = 0; j < 200; j++) {
            texts[i](&key, &block);
            for (unsigned byte = 0; byte < CIPHER_BYTES; byte++) {
                key.bytes[byte] ^= block.bytes[byte];
            }
        }
        expect_bytes(block.bytes, last);
    }
}

TEST(the_boards_cipher_is_one_of_them)
{
    union cipher_block key, block;

    load(&key, examples[0].key);
    load(&block, examples[0].plain);
    cipher_encrypt(&key, &block);
    expect_bytes(block.bytes, examples[0].enciphered);
}

static __attribute__((noinline)) cycles_t cycles_of(text *encrypt, const union cipher_block *key,
                                                    const union cipher_block *block)
{
    cycles_t least = (cycles_t)-1;

    for (unsigned i = 0; i < MEASUREMENTS; i++) {
        union cipher_block copy = *block;
        cycles_t begun = cycles_now();
        encrypt(key, &copy);
        least = shorter(cycles_now() - begun, least);
    }
    return least;
}

/* Without wait states of flash. */
TEST(a_block_takes_one_time_whatever_it_is)
{
    await_quiet();
    for (unsigned i = 0; i < TEXTS; i++) {
        union cipher_block key = {{0}}, block = {{0}};
        cycles_t cycles = cycles_of(texts[i], &key, &block);
        for (unsigned bit = 0; bit < 8 * CIPHER_BYTES; bit += 3) {
            key.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            expect_equal(cycles_of(texts[i], &key, &block), cycles);
            block.bytes[CIPHER_BYTES - 1 - bit / 8] ^= (uint8_t)(1u << bit % 8);
            expect_equal(cycles_of(texts[i], &key, &block), cycles);
        }
        memset(&key, 0xff, sizeof(key));
        expect_equal(cycles_of(texts[i], &key, &block), cycles);
    }
}
