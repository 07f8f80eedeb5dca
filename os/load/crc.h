/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The CRC-16 of a program in flash: it is computed twice while the program arrives and once at each
 * start.
 */
#ifndef LOAD_CRC_H
#define LOAD_CRC_H

#include <stdint.h>

#include "base/crc16.h"
#include "chip/code.h"

/* The CRC of so many bytes of flash, an even number.
 * context   any
 * blocks    no
 */
uint16_t crc16_of_flash(code_address_t address, uint16_t bytes);

#endif
