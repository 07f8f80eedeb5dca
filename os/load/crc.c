/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "load/crc.h"

uint16_t crc16_add_halfword(uint16_t crc, uint16_t halfword)
{
    return crc16_add(crc16_add(crc, (uint8_t)halfword), (uint8_t)(halfword >> 8));
}

uint16_t crc16_of_flash(code_address_t address, uint16_t bytes)
{
    uint16_t crc = CRC16_BEGIN;

    for (uint16_t at = 0; at < bytes; at += 2) {
        crc = crc16_add_halfword(crc, code_read(address + at));
    }
    return crc;
}
