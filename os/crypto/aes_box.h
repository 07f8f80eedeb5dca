/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The S-box of AES (FIPS-197, 5.1.1), in flash: 256 bytes, that nothing else is needed beside. */
#ifndef CRYPTO_AES_BOX_H
#define CRYPTO_AES_BOX_H

#include <stdint.h>

#include <lichen/arch.h>

#define AES_BOX_BYTES 256

/* Aligned to its length, so that AVR gets an address by replacing its lower byte. */
extern const ARCH_FLASH uint8_t aes_box[AES_BOX_BYTES];

#endif
