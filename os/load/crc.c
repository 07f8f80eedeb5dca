/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "load/crc.h"

enum {
    PIECE = 32, /* is read at once */
};

uint16_t crc16_of_flash(code_address_t address, uint16_t bytes)
{
    uint16_t crc = CRC16_BEGIN;
    uint16_t piece[PIECE / 2];

    while (bytes != 0) {
        const uint8_t count = bytes < PIECE ? (uint8_t)bytes : PIECE;
        const uint8_t *at = (const uint8_t *)piece, *const end = at + count;

        code_read_all(address, piece, count);
        do {
            crc = crc16_add(crc, *at++);
        } while (at != end);
        address += count;
        bytes -= count;
    }
    return crc;
}
