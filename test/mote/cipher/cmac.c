/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* CMAC: the vectors of RFC 4493, in pieces of any length, and tags that differ in one bit. */
#include <string.h>

#include <lichen/arch.h>

#include "crypto/cmac.h"

#include "test.h"

static const union cipher_block key = {.bytes = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                                                 0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c}};

/* RFC 4493, section 4. */
static const uint8_t message[64] = {
    0x6b, 0xc1, 0xbe, 0xe2, 0x2e, 0x40, 0x9f, 0x96, 0xe9, 0x3d, 0x7e, 0x11, 0x73, 0x93, 0x17, 0x2a,
    0xae, 0x2d, 0x8a, 0x57, 0x1e, 0x03, 0xac, 0x9c, 0x9e, 0xb7, 0x6f, 0xac, 0x45, 0xaf, 0x8e, 0x51,
    0x30, 0xc8, 0x1c, 0x46, 0xa3, 0x5c, 0xe4, 0x11, 0xe5, 0xfb, 0xc1, 0x19, 0x1a, 0x0a, 0x52, 0xef,
    0xf6, 0x9f, 0x24, 0x45, 0xdf, 0x4f, 0x9b, 0x17, 0xad, 0x2b, 0x41, 0x7b, 0xe6, 0x6c, 0x37, 0x10};

struct example {
    uint8_t length;
    uint8_t tag[CIPHER_BYTES];
};

static const ARCH_FLASH struct example examples[] = {
    {0,
     {0xbb, 0x1d, 0x69, 0x29, 0xe9, 0x59, 0x37, 0x28, 0x7f, 0xa3, 0x7d, 0x12, 0x9b, 0x75, 0x67,
      0x46}},
    {16,
     {0x07, 0x0a, 0x16, 0xb4, 0x6b, 0x4d, 0x41, 0x44, 0xf7, 0x9b, 0xdd, 0x9d, 0xd0, 0x4a, 0x28,
      0x7c}},
    {40,
     {0xdf, 0xa6, 0x67, 0x47, 0xde, 0x9a, 0xe6, 0x30, 0x30, 0xca, 0x32, 0x61, 0x14, 0x97, 0xc8,
      0x27}},
    {64,
     {0x51, 0xf0, 0xbe, 0xbf, 0x7e, 0x3b, 0x9d, 0x92, 0xfc, 0x49, 0x74, 0x17, 0x79, 0x36, 0x3c,
      0xfe}},
};

#define EXAMPLES (sizeof(examples) / sizeof(examples[0]))

static bool is_tag(const ARCH_FLASH struct example *example, unsigned piece, const uint8_t *tag)
{
    struct cmac cmac = {};

    for (unsigned at = 0; at < example->length;) {
        unsigned length = example->length - at < piece ? example->length - at : piece;
        cmac_add(&cmac, &key, message + at, (uint16_t)length);
        at += length;
    }
    return cmac_check(&cmac, &key, tag);
}

static void tag_of(const ARCH_FLASH struct example *example, uint8_t *tag)
{
    for (unsigned i = 0; i < CIPHER_BYTES; i++) {
        tag[i] = example->tag[i];
    }
}

TEST(cmac_tags_are_those_of_the_rfc)
{
    static const uint8_t pieces[] = {1, 7, 16, 17, 64};

    for (unsigned i = 0; i < EXAMPLES; i++) {
        uint8_t tag[CIPHER_BYTES];
        tag_of(&examples[i], tag);
        for (unsigned j = 0; j < sizeof(pieces); j++) {
            expect(is_tag(&examples[i], pieces[j], tag));
        }
    }
}

TEST(a_tag_with_one_wrong_bit_is_refused)
{
    for (unsigned i = 0; i < EXAMPLES; i++) {
        uint8_t tag[CIPHER_BYTES];
        tag_of(&examples[i], tag);
        for (unsigned bit = 0; bit < 8 * CIPHER_BYTES; bit += 5) {
            tag[bit / 8] ^= (uint8_t)(1 << bit % 8);
            expect(!is_tag(&examples[i], 16, tag));
            tag[bit / 8] ^= (uint8_t)(1 << bit % 8);
        }
    }
}
