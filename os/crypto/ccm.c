/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* CCM*: names of blocks as in RFC 3610. */
#include "crypto/ccm.h"

#include <string.h>

#include <lichen/assert.h>

enum {
    LENGTH_BYTES = 2, /* L */
    FLAGS_COUNTER = LENGTH_BYTES - 1,
    FLAGS_HEADER = 1 << 6, /* in B_0: there is a header */
    FLAGS_TAG_SHIFT = 3,   /* in B_0: tag_bytes / 2 - 1 */
    AT_NONCE = 1,
    AT_LENGTH = AT_NONCE + CCM_NONCE_BYTES,
};

/* Flags, nonce and a number. */
static void make_block(union cipher_block *block, uint8_t flags, const uint8_t *nonce,
                       uint16_t number)
{
    block->bytes[0] = flags;
    memcpy(block->bytes + AT_NONCE, nonce, CCM_NONCE_BYTES);
    block->bytes[AT_LENGTH] = (uint8_t)(number >> 8);
    block->bytes[AT_LENGTH + 1] = (uint8_t)number;
}

/* So many of `length` bytes belong to the present block. */
static uint8_t part_of(const struct ccm *ccm, uint16_t length)
{
    uint8_t room = CIPHER_BYTES - ccm->at;

    return length < room ? (uint8_t)length : room;
}

/* Closes the block of the MAC. What is missing from it counts as 0. */
static void close_block(struct ccm *ccm)
{
    if (ccm->tag_bytes > 0 && ccm->at > 0) {
        cipher_encrypt(ccm->key, &ccm->mac);
    }
    ccm->at = 0;
}

/* So many more bytes are in the block. */
static void advance(struct ccm *ccm, uint8_t bytes)
{
    ccm->at += bytes;
    if (ccm->at == CIPHER_BYTES) {
        close_block(ccm);
    }
}

static void authenticate(struct ccm *ccm, const uint8_t *bytes, uint16_t length)
{
    while (length > 0) {
        uint8_t part = part_of(ccm, length);
        uint8_t *mac = ccm->mac.bytes + ccm->at;
        length -= part;
        for (uint8_t left = part; left > 0; left--) {
            *mac++ ^= *bytes++;
        }
        advance(ccm, part);
    }
}

void ccm_begin(struct ccm *ccm, const union cipher_block *key, const uint8_t nonce[CCM_NONCE_BYTES],
               uint16_t header_bytes, uint16_t text_bytes, uint8_t tag_bytes)
{
    assert(tag_bytes == 0 || (tag_bytes >= 4 && tag_bytes <= CCM_TAG_MAX && tag_bytes % 2 == 0));
    assert(header_bytes <= CCM_HEADER_MAX);
    ccm->key = key;
    ccm->header_left = header_bytes;
    ccm->text_left = text_bytes;
    ccm->tag_bytes = tag_bytes;
    make_block(&ccm->counter, FLAGS_COUNTER, nonce, 0);
    uint8_t flags = (uint8_t)((tag_bytes / 2 - 1u) << FLAGS_TAG_SHIFT | FLAGS_COUNTER);
    make_block(&ccm->mac, header_bytes > 0 ? flags | FLAGS_HEADER : flags, nonce, text_bytes);
    ccm->at = CIPHER_BYTES;
    close_block(ccm);
    if (header_bytes > 0) {
        const uint8_t length[LENGTH_BYTES] = {(uint8_t)(header_bytes >> 8), (uint8_t)header_bytes};
        authenticate(ccm, length, LENGTH_BYTES);
    }
}

void ccm_header(struct ccm *ccm, const uint8_t *bytes, uint16_t length)
{
    assert(length <= ccm->header_left);
    ccm->header_left -= length;
    authenticate(ccm, bytes, length);
    if (ccm->header_left == 0) {
        close_block(ccm);
    }
}

/* Enciphers the next number. */
static void next_stream(struct ccm *ccm)
{
    if (++ccm->counter.bytes[AT_LENGTH + 1] == 0) {
        ccm->counter.bytes[AT_LENGTH]++;
    }
    ccm->stream = ccm->counter;
    cipher_encrypt(ccm->key, &ccm->stream);
}

/* Adds a piece of the stream to a part of a block, and the plain one of the two to the MAC. */
static void crypt_part(struct ccm *ccm, uint8_t *bytes, uint8_t length, bool is_plain)
{
    const uint8_t *stream = ccm->stream.bytes + ccm->at;
    uint8_t *mac = ccm->mac.bytes + ccm->at;

    for (; length > 0; length--) {
        uint8_t before = *bytes, after = before ^ *stream++;
        *bytes++ = after;
        *mac++ ^= is_plain ? before : after;
    }
}

static void crypt(struct ccm *ccm, uint8_t *bytes, uint16_t length, bool is_plain)
{
    assert(ccm->header_left == 0 && length <= ccm->text_left);
    ccm->text_left -= length;
    while (length > 0) {
        uint8_t part = part_of(ccm, length);
        if (ccm->at == 0) {
            next_stream(ccm);
        }
        crypt_part(ccm, bytes, part, is_plain);
        bytes += part;
        length -= part;
        advance(ccm, part);
    }
    if (ccm->text_left == 0) {
        close_block(ccm);
    }
}

void ccm_encrypt(struct ccm *ccm, uint8_t *bytes, uint16_t length)
{
    crypt(ccm, bytes, length, true);
}

void ccm_decrypt(struct ccm *ccm, uint8_t *bytes, uint16_t length)
{
    crypt(ccm, bytes, length, false);
}

/* Makes `mac` the whole tag. */
static void finish(struct ccm *ccm)
{
    assert(ccm->header_left == 0 && ccm->text_left == 0);
    if (ccm->tag_bytes == 0) {
        return;
    }
    ccm->counter.bytes[AT_LENGTH] = 0;
    ccm->counter.bytes[AT_LENGTH + 1] = 0;
    cipher_encrypt(ccm->key, &ccm->counter);
    for (uint8_t i = 0; i < CIPHER_BYTES; i++) {
        ccm->mac.bytes[i] ^= ccm->counter.bytes[i];
    }
}

void ccm_tag(struct ccm *ccm, uint8_t *tag)
{
    finish(ccm);
    memcpy(tag, ccm->mac.bytes, ccm->tag_bytes);
}

bool ccm_check(struct ccm *ccm, const uint8_t *tag)
{
    uint8_t differences = 0;

    finish(ccm);
    for (uint8_t i = 0; i < ccm->tag_bytes; i++) {
        differences |= ccm->mac.bytes[i] ^ tag[i];
    }
    return differences == 0;
}
