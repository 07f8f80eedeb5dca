/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* CRC-16/CCITT-FALSE. That of a program in flash is computed twice while it arrives and once at
 * each start, and takes two fifths of the time of the container's CRC-32 (base/crc32.h).
 */
#ifndef LOAD_CRC_H
#define LOAD_CRC_H

#include <stdint.h>

#include "chip/code.h"

#define CRC16_BEGIN 0xffffu

/* Eight steps of the division at once, without a table. */
static inline uint16_t crc16_add(uint16_t crc, uint8_t byte)
{
    uint8_t x = (uint8_t)(crc >> 8) ^ byte;

    x ^= x >> 4;
    return (uint16_t)((uint16_t)(crc << 8) ^ ((uint16_t)x << 12) ^ ((uint16_t)x << 5) ^ x);
}

/* Continues a CRC over a halfword, the low byte first.
 * context   any
 * blocks    no
 */
uint16_t crc16_add_halfword(uint16_t crc, uint16_t halfword);

/* The CRC of so many bytes of flash, an even number.
 * context   any
 * blocks    no
 */
uint16_t crc16_of_flash(code_address_t address, uint16_t bytes);

#endif
