/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AES-CMAC (RFC 4493; NIST SP 800-38B): a tag that only who has the key can make. Over the board's
 * block cipher (crypto/cipher.h).
 *
 *     struct cmac cmac = {};
 *     cmac_add(&cmac, &key, bytes, length);       any number of pieces of any length
 *     if (cmac_check(&cmac, &key, tag)) ...
 *
 * The length need not be known before. A block is enciphered when the byte behind it comes, because
 * the last block is treated differently.
 */
#ifndef CRYPTO_CMAC_H
#define CRYPTO_CMAC_H

#include <stdbool.h>
#include <stdint.h>

#include "crypto/cipher.h"

/* A pass over a message; all 0 at its beginning. */
struct cmac {
    union cipher_block mac; /* of the blocks before; the present one is added to it */
    uint8_t at;             /* bytes of the present block that have come; 0: none at all */
};

/* Takes the next piece of the message.
 * context   thread, as cipher_encrypt
 * blocks    no       cost  a block of the cipher for each 16 bytes
 */
void cmac_add(struct cmac *cmac, const union cipher_block *key, const uint8_t *bytes,
              uint16_t length);

/* Ends a pass, and compares the tag, in a time that does not depend on where it differs.
 * returns   whether it is the right one
 * context   thread
 * blocks    no       cost  two blocks of the cipher
 */
bool cmac_check(struct cmac *cmac, const union cipher_block *key, const uint8_t *tag);

#endif
