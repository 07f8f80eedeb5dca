/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What a chip offers to storage in its own flash: units of 256 bytes that are erased and written as
 * a whole. The linker script gives storage the end of flash, from `storage_begin` on.
 *
 * While flash is erased or written nothing reads it. Whoever tries waits: code in flash, and
 * interrupts, unless their handlers and vectors are in RAM.
 */
#ifndef CHIP_FLASH_H
#define CHIP_FLASH_H

#include <stdint.h>

enum {
    FLASH_UNIT = 256, /* bytes */
    FLASH_BEGIN = 8,  /* bytes of a unit that can be written without the others */
};

/* Where a unit is read. */
const uint8_t *flash_unit(uint16_t unit);

/* Erases a unit.
 * returns   0; ERR_IO: the chip refuses it
 * context   thread; one at a time
 * blocks    no, it holds the processor: 6 ms on the SAM R21
 */
int flash_unit_erase(uint16_t unit);

/* Erases a unit, and writes it.
 * returns   0; ERR_IO: the chip refuses it; whether the bytes can be read is not known
 * context   thread; one at a time
 * blocks    no, it holds the processor: 16 ms on the SAM R21
 */
int flash_unit_write(uint16_t unit, const uint32_t words[FLASH_UNIT / 4]);

/* Erases a unit, and writes its first bytes.
 * returns   as flash_unit_write
 * context   thread; one at a time
 * blocks    no, it holds the processor: 9 ms on the SAM R21
 */
int flash_unit_begin(uint16_t unit, const uint32_t words[FLASH_BEGIN / 4]);

#endif
