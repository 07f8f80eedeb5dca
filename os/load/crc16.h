/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The checksum of a program in flash, CRC-16/CCITT-FALSE: it is computed twice while a program
 * arrives and once at each start, and takes a fifth of the time of the container's CRC-32.
 */
#ifndef LOAD_CRC16_H
#define LOAD_CRC16_H

#include <stdint.h>

#include "chip/code.h"

#define CRC16_BEGIN 0xffffu

/* Continues a CRC over a halfword, the low byte first.
 * context   any
 * blocks    no
 */
uint16_t crc16_add(uint16_t crc, uint16_t halfword);

/* The CRC of so many bytes of flash, an even number.
 * context   any
 * blocks    no
 */
uint16_t crc16_of_flash(code_address_t address, uint16_t bytes);

#endif
