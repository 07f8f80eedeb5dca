/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Tags of containers in an image with a key, which the build defines and mentions mac_check_keyed.
 */
#include "load/mac.h"

#include <lichen/arch.h>

extern const ARCH_FLASH uint8_t load_key[CIPHER_BYTES];

/* The cipher reads its key in RAM. */
static union cipher_block key(void)
{
    union cipher_block copy;

    for (uint8_t i = 0; i < CIPHER_BYTES; i++) {
        copy.bytes[i] = load_key[i];
    }
    return copy;
}

/* The key is needed only where a block ends in what comes. */
void mac_add_keyed(struct cmac *cmac, const uint8_t *bytes, uint16_t length)
{
    union cipher_block copy;
    const union cipher_block *needed = 0;

    if (cmac->at + length > CIPHER_BYTES) {
        copy = key();
        needed = &copy;
    }
    cmac_add(cmac, needed, bytes, length);
}

bool mac_check_keyed(struct cmac *cmac, const uint8_t *tag)
{
    const union cipher_block copy = key();

    return cmac_check(cmac, &copy, tag);
}
