/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "base/crc32.h"

/* Bit by bit: on AVR a table would double the speed for 200 bytes of flash. */
uint32_t crc32_add(uint32_t crc, uint8_t byte)
{
    crc ^= byte;
    for (uint8_t bit = 8; bit != 0; bit--) {
        uint8_t before = (uint8_t)crc;
        crc >>= 1;
        if (before & 1) {
            crc ^= UINT32_C(0xedb88320);
        }
    }
    return crc;
}
