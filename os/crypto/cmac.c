/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* CMAC: names of keys as in RFC 4493. */
#include "crypto/cmac.h"

#define RB 0x87 /* the constant of blocks of 128 bits */

void cmac_add(struct cmac *cmac, const union cipher_block *key, const uint8_t *bytes,
              uint16_t length)
{
    for (; length > 0; length--) {
        if (cmac->at == CIPHER_BYTES) {
            cipher_encrypt(key, &cmac->mac);
            cmac->at = 0;
        }
        cmac->mac.bytes[cmac->at++] ^= *bytes++;
    }
}

/* Times x in GF(2^128): K1 from the enciphered 0, K2 from K1. What the first byte loses is added to
 * the last one, in a time that does not depend on the key. */
static void times_x(union cipher_block *block)
{
    uint8_t carry = (uint8_t)(RB & -(block->bytes[0] >> 7));

    for (uint8_t i = CIPHER_BYTES; i-- > 0;) {
        uint8_t byte = block->bytes[i];
        block->bytes[i] = (uint8_t)(byte << 1) ^ carry;
        carry = byte >> 7;
    }
}

bool cmac_check(struct cmac *cmac, const union cipher_block *key, const uint8_t *tag)
{
    union cipher_block subkey = {};
    uint8_t differences = 0;

    cipher_encrypt(key, &subkey);
    times_x(&subkey);
    if (cmac->at < CIPHER_BYTES) {
        times_x(&subkey);
        cmac->mac.bytes[cmac->at] ^= 0x80;
    }
    for (uint8_t i = 0; i < CIPHER_BYTES; i++) {
        cmac->mac.bytes[i] ^= subkey.bytes[i];
    }
    cipher_encrypt(key, &cmac->mac);
    for (uint8_t i = 0; i < CIPHER_BYTES; i++) {
        differences |= cmac->mac.bytes[i] ^ tag[i];
    }
    return differences == 0;
}
