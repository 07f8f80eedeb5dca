/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "load/crc16.h"

/* Eight steps of the division at once, without a table. */
static inline uint16_t add_byte(uint16_t crc, uint8_t byte)
{
    uint8_t x = (uint8_t)(crc >> 8) ^ byte;

    x ^= x >> 4;
    return (uint16_t)((uint16_t)(crc << 8) ^ ((uint16_t)x << 12) ^ ((uint16_t)x << 5) ^ x);
}

uint16_t crc16_add(uint16_t crc, uint16_t halfword)
{
    return add_byte(add_byte(crc, (uint8_t)halfword), (uint8_t)(halfword >> 8));
}

uint16_t crc16_of_flash(code_address_t address, uint16_t bytes)
{
    uint16_t crc = CRC16_BEGIN;

    for (uint16_t at = 0; at < bytes; at += 2) {
        crc = crc16_add(crc, code_read(address + at));
    }
    return crc;
}
