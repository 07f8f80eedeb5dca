/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* CCM* (IEEE 802.15.4-2015, annex B), which is CCM (RFC 3610) with a nonce of 13 bytes, a length of
 * two, and tags that may be absent. Over the board's block cipher (crypto/cipher.h).
 *
 *     ccm_begin(&ccm, &key, nonce, header_bytes, text_bytes, 4);
 *     ccm_header(&ccm, header, header_bytes);         is authenticated
 *     ccm_encrypt(&ccm, text, text_bytes);            is authenticated and enciphered, in place
 *     ccm_tag(&ccm, tag);
 *
 * Header and text come in any number of pieces of any length, of 0 too, first all of the header. A
 * sum of pieces that is not the length given to ccm_begin asserts: lengths that others have sent
 * are checked before.
 *
 * Nobody may begin twice with one key and one nonce, except to decrypt: who has two texts that were
 * enciphered under one nonce has their difference, and can forge tags.
 *
 * context   thread, as cipher_encrypt; one thread at a time for each struct
 */
#ifndef CRYPTO_CCM_H
#define CRYPTO_CCM_H

#include <stdbool.h>
#include <stdint.h>

#include "crypto/cipher.h"

#define CCM_NONCE_BYTES 13u
#define CCM_TAG_MAX     16u
/* A longer header has another coding, which is not here. */
#define CCM_HEADER_MAX 0xfeffu

/* A pass over a frame: 60 bytes on ARM, 56 on AVR. */
struct ccm {
    const union cipher_block *key;
    union cipher_block mac;     /* CBC-MAC of what has come so far */
    union cipher_block counter; /* the counter's block, before it is enciphered */
    union cipher_block stream;  /* and afterwards: what is added to the text */
    uint16_t header_left;       /* bytes that have not come yet */
    uint16_t text_left;
    uint8_t at;        /* bytes of the present block that have come */
    uint8_t tag_bytes; /* 0: nothing is authenticated */
};

/* Begins a pass. Without a tag the text is enciphered and nothing is authenticated: whoever changes
 * a bit of it changes that bit of the plain text.
 * key           remains the caller's, and unchanged until the pass ends
 * header_bytes  0 to CCM_HEADER_MAX, else asserts
 * tag_bytes     0, or an even number from 4 to 16, else asserts; 802.15.4 has 0, 4, 8 and 16
 * context       thread
 * blocks        no       cost  a block of the cipher if there is a tag
 */
void ccm_begin(struct ccm *ccm, const union cipher_block *key, const uint8_t nonce[CCM_NONCE_BYTES],
               uint16_t header_bytes, uint16_t text_bytes, uint8_t tag_bytes);

/* Takes the next piece of the header.
 * context   thread
 * blocks    no       cost  a block of the cipher for each 16 bytes
 */
void ccm_header(struct ccm *ccm, const uint8_t *bytes, uint16_t length);

/* Enciphers the next piece of the text in place.
 * context   thread
 * blocks    no       cost  two blocks of the cipher for each 16 bytes
 */
void ccm_encrypt(struct ccm *ccm, uint8_t *bytes, uint16_t length);

/* Deciphers the next piece of the text in place. Until ccm_check has said that it is genuine, it is
 * what an attacker likes, and nobody may act on it.
 * context   thread
 * blocks    no       cost  as ccm_encrypt
 */
void ccm_decrypt(struct ccm *ccm, uint8_t *bytes, uint16_t length);

/* Ends a pass, and writes the tag.
 * context   thread
 * blocks    no       cost  a block of the cipher if there is a tag
 */
void ccm_tag(struct ccm *ccm, uint8_t *tag);

/* Ends a pass, and compares the tag, in a time that does not depend on where it differs.
 * returns   whether it is the right one; true if there is none
 * context   thread
 * blocks    no       cost  as ccm_tag
 */
bool ccm_check(struct ccm *ccm, const uint8_t *tag);

#endif
