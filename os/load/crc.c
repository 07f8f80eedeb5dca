/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "load/crc.h"

enum {
    PIECE = 16, /* is read at once */
};

uint16_t crc16_add_halfword(uint16_t crc, uint16_t halfword)
{
    return crc16_add(crc16_add(crc, (uint8_t)halfword), (uint8_t)(halfword >> 8));
}

uint16_t crc16_of_flash(code_address_t address, uint16_t bytes)
{
    uint16_t crc = CRC16_BEGIN;
    uint16_t piece[PIECE / 2];

    for (uint16_t at = 0; at < bytes; at += 2) {
        const uint8_t in_piece = at % PIECE;

        /* The last one may reach beyond them. */
        if (in_piece == 0) {
            code_read_all(address + at, piece, PIECE);
        }
        crc = crc16_add_halfword(crc, piece[in_piece / 2]);
    }
    return crc;
}
