/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* CRC-16/CCITT-FALSE: polynomial 0x1021, most significant bit first, initial value 0xffff. Of pages
 * of storage, of frames on a serial line, and of programs in flash.
 */
#ifndef BASE_CRC16_H
#define BASE_CRC16_H

#include <stdint.h>

#define CRC16_BEGIN 0xffffu

/* Eight steps of the division at once, without a table; in bytes, since AVR shifts 16 bits one by
 * one. */
static inline uint16_t crc16_add(uint16_t crc, uint8_t byte)
{
    uint8_t x = (uint8_t)(crc >> 8) ^ byte;

    x ^= x >> 4;
    uint8_t y = (uint8_t)(x << 4);
    uint8_t high = (uint8_t)crc ^ y ^ x >> 3;
    uint8_t low = x ^ (uint8_t)(y << 1);
    return (uint16_t)(high << 8 | low);
}

#endif
