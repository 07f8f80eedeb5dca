/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "crypto/ccm.h"

#include <string.h>

#include <lichen/arch.h>

#include "frames.h"
#include "cycles.h"
#include "rfc3610.h"
#include "test.h"

#define VECTORS (sizeof(vectors) / sizeof(vectors[0]))

static struct ccm ccm;
static union cipher_block key;
static uint8_t nonce[CCM_NONCE_BYTES];
static uint8_t packet[48], tag[CCM_TAG_MAX];

static void load(void *to, const ARCH_FLASH uint8_t *from, unsigned length)
{
    for (uint8_t *at = to; length > 0; length--) {
        *at++ = *from++;
    }
}

static void expect_bytes(const uint8_t *bytes, const ARCH_FLASH uint8_t *wanted, unsigned length)
{
    for (unsigned i = 0; i < length; i++) {
        expect_equal(bytes[i], wanted[i]);
    }
}

static void begin(const ARCH_FLASH struct vector *v)
{
    load(&key, v->key, sizeof(key));
    load(nonce, v->nonce, sizeof(nonce));
    load(packet, v->plain, v->header_bytes + v->text_bytes);
    ccm_begin(&ccm, &key, nonce, v->header_bytes, v->text_bytes, v->tag_bytes);
}

TEST(packets_are_those_of_rfc_3610)
{
    for (unsigned i = 0; i < VECTORS; i++) {
        const ARCH_FLASH struct vector *v = &vectors[i];
        begin(v);
        ccm_header(&ccm, packet, v->header_bytes);
        ccm_encrypt(&ccm, packet + v->header_bytes, v->text_bytes);
        ccm_tag(&ccm, tag);
        expect_bytes(packet + v->header_bytes, v->enciphered, v->text_bytes);
        expect_bytes(tag, v->enciphered + v->text_bytes, v->tag_bytes);
        expect_bytes(packet, v->plain, v->header_bytes);
    }
}

TEST(packets_of_rfc_3610_are_deciphered)
{
    for (unsigned i = 0; i < VECTORS; i++) {
        const ARCH_FLASH struct vector *v = &vectors[i];
        begin(v);
        load(packet + v->header_bytes, v->enciphered, v->text_bytes);
        load(tag, v->enciphered + v->text_bytes, v->tag_bytes);
        ccm_header(&ccm, packet, v->header_bytes);
        ccm_decrypt(&ccm, packet + v->header_bytes, v->text_bytes);
        expect(ccm_check(&ccm, tag));
        expect_bytes(packet, v->plain, v->header_bytes + v->text_bytes);
    }
}

/* Passes bytes in pieces: of `first`, `second`, `first`, ... */
static void in_pieces(void (*pass)(struct ccm *ccm, uint8_t *bytes, uint16_t length),
                      uint8_t *bytes, unsigned length, unsigned first, unsigned second)
{
    while (length > 0) {
        unsigned piece = first < length ? first : length;
        pass(&ccm, bytes, (uint16_t)piece);
        bytes += piece;
        length -= piece;
        piece = first;
        first = second;
        second = piece;
    }
}

static void header(struct ccm *pass, uint8_t *bytes, uint16_t length)
{
    ccm_header(pass, bytes, length);
}

TEST(pieces_of_any_length_make_the_same_packet)
{
    const ARCH_FLASH struct vector *v = &vectors[2];

    for (unsigned first = 0; first < 18; first++) {
        for (unsigned second = 1; second < 18; second += 3) {
            begin(v);
            in_pieces(header, packet, v->header_bytes, first, second);
            in_pieces(ccm_encrypt, packet + v->header_bytes, v->text_bytes, first, second);
            ccm_tag(&ccm, tag);
            expect_bytes(packet + v->header_bytes, v->enciphered, v->text_bytes);
            expect_bytes(tag, v->enciphered + v->text_bytes, v->tag_bytes);
        }
    }
}

/* -------- frames of 802.15.4 */

static void begin_frame(const ARCH_FLASH struct frame *f)
{
    for (unsigned i = 0; i < sizeof(key); i++) {
        key.bytes[i] = (uint8_t)(0xc0 + i);
    }
    load(nonce, frame_nonce, sizeof(nonce));
    nonce[sizeof(nonce) - 1] = f->level;
    load(packet, f->plain, f->header_bytes + f->text_bytes);
    ccm_begin(&ccm, &key, nonce, f->header_bytes, f->text_bytes, f->tag_bytes);
    ccm_header(&ccm, packet, f->header_bytes);
}

TEST(frames_are_those_of_802_15_4)
{
    for (unsigned i = 0; i < FRAMES; i++) {
        const ARCH_FLASH struct frame *f = &frames[i];
        begin_frame(f);
        ccm_encrypt(&ccm, packet + f->header_bytes, f->text_bytes);
        ccm_tag(&ccm, tag);
        expect_bytes(packet + f->header_bytes, f->enciphered, f->text_bytes);
        expect_bytes(tag, f->enciphered + f->text_bytes, f->tag_bytes);
    }
}

/* -------- tags */

static void decrypt_frame(const ARCH_FLASH struct frame *f)
{
    begin_frame(f);
    load(packet + f->header_bytes, f->enciphered, f->text_bytes);
    load(tag, f->enciphered + f->text_bytes, f->tag_bytes);
    ccm_decrypt(&ccm, packet + f->header_bytes, f->text_bytes);
}

TEST(a_bit_that_is_wrong_is_noticed_wherever_it_is)
{
    const ARCH_FLASH struct frame *f = &frames[FRAME_ENCIPHERED];

    for (unsigned bit = 0; bit < 8u * f->tag_bytes; bit++) {
        decrypt_frame(f);
        tag[bit / 8] ^= (uint8_t)(1u << bit % 8);
        expect(!ccm_check(&ccm, tag));
    }
    for (unsigned bit = 0; bit < 8u * f->header_bytes; bit += 5) {
        decrypt_frame(f);
        ccm_begin(&ccm, &key, nonce, f->header_bytes, f->text_bytes, f->tag_bytes);
        packet[bit / 8] ^= (uint8_t)(1u << bit % 8);
        ccm_header(&ccm, packet, f->header_bytes);
        load(packet + f->header_bytes, f->enciphered, f->text_bytes);
        ccm_decrypt(&ccm, packet + f->header_bytes, f->text_bytes);
        expect(!ccm_check(&ccm, tag));
    }
}

static cycles_t cycles_of_check(const ARCH_FLASH struct frame *f, unsigned wrong, uint8_t bits,
                                bool *is_genuine)
{
    cycles_t least = (cycles_t)-1;

    for (unsigned i = 0; i < MEASUREMENTS; i++) {
        decrypt_frame(f);
        tag[wrong] ^= bits;
        cycles_t begun = cycles_now();
        *is_genuine = ccm_check(&ccm, tag);
        least = shorter(cycles_now() - begun, least);
    }
    return least;
}

TEST(a_check_takes_one_time_wherever_the_tag_is_wrong)
{
    await_quiet();
    for (unsigned i = 0; i < FRAMES; i++) {
        bool is_genuine;
        cycles_t cycles = cycles_of_check(&frames[i], 0, 0, &is_genuine);
        expect(is_genuine);
        for (unsigned wrong = 0; wrong < frames[i].tag_bytes; wrong++) {
            expect_equal(cycles_of_check(&frames[i], wrong, 0x01, &is_genuine), cycles);
            expect(!is_genuine);
            expect_equal(cycles_of_check(&frames[i], wrong, 0xff, &is_genuine), cycles);
            expect(!is_genuine);
        }
    }
}

/* -------- the ends of ranges */

TEST(nothing_at_all_has_a_tag_too)
{
    memset(&key, 0, sizeof(key));
    memset(nonce, 0, sizeof(nonce));
    ccm_begin(&ccm, &key, nonce, 0, 0, CCM_TAG_MAX);
    ccm_tag(&ccm, tag);
    ccm_begin(&ccm, &key, nonce, 0, 0, CCM_TAG_MAX);
    ccm_header(&ccm, packet, 0);
    ccm_decrypt(&ccm, packet, 0);
    expect(ccm_check(&ccm, tag));
    tag[15] ^= 1;
    ccm_begin(&ccm, &key, nonce, 0, 0, CCM_TAG_MAX);
    expect(!ccm_check(&ccm, tag));
}

TEST(a_text_that_is_only_enciphered_comes_back)
{
    memset(&key, 1, sizeof(key));
    memset(packet, 7, sizeof(packet));
    for (unsigned pass = 0; pass < 2; pass++) {
        ccm_begin(&ccm, &key, nonce, 5, sizeof(packet), 0);
        ccm_header(&ccm, tag, 5);
        in_pieces(pass == 0 ? ccm_encrypt : ccm_decrypt, packet, sizeof(packet), 5, 20);
        expect(ccm_check(&ccm, tag));
        expect((packet[0] == 7) == (pass == 1));
    }
    for (unsigned i = 0; i < sizeof(packet); i++) {
        expect_equal(packet[i], 7);
    }
}
