/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The checksums of containers and of what is kept in flash. */
#ifndef LOAD_CRC_H
#define LOAD_CRC_H

#include <stdint.h>

#include "chip/code.h"

/* CRC-32 as in IEEE 802.3, of containers and of the directory. Both ends are inverted. */
#define CRC32_BEGIN UINT32_MAX
#define CRC32_RESIDUE UINT32_C(0xdebb20e3) /* of bytes and their CRC, before the end */
uint32_t crc32_add(uint32_t crc, uint8_t byte);

static inline uint32_t crc32_end(uint32_t crc)
{
    return ~crc;
}

/* CRC-16/CCITT-FALSE, of a program in flash: it is computed three times while a program arrives and
 * once at each start, and takes a third of the time. */
#define CRC16_BEGIN 0xffffu

static inline uint16_t crc16_add(uint16_t crc, uint8_t byte)
{
    uint8_t x = (uint8_t)(crc >> 8) ^ byte;

    x ^= x >> 4;
    return (uint16_t)((crc << 8) ^ ((uint16_t)x << 12) ^ ((uint16_t)x << 5) ^ x);
}

/* Continues a CRC over a halfword, the low byte first. */
uint16_t crc16_add_halfword(uint16_t crc, uint16_t halfword);

/* The CRC of so many bytes of flash, an even number.
 * context   any
 * blocks    no
 */
uint16_t crc16_of_flash(code_address_t address, uint32_t bytes);

#endif
