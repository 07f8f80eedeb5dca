/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The mote's serial number: no other mote has the same one, and no reset changes it.
 *
 *     uint8_t number[SERIAL_NUMBER_BYTES];
 *     if (serial_number_read(number) == 0) { ... }
 *
 * On the SAM R21 it is the chip's: 16 bytes, four words of flash that the factory writes. On a MICA
 * it is that of a part on the board, a DS2401: 8 bytes, its family (1), 6 bytes, and a check sum.
 * A program that needs fewer bytes takes them from a hash: motes of one lot differ in few of them.
 */
#ifndef LICHEN_SERIAL_NUMBER_H
#define LICHEN_SERIAL_NUMBER_H

#include <stdint.h>

#include <lichen/chip.h>
#include <lichen/error.h>

#define SERIAL_NUMBER_BYTES CHIP_SERIAL_NUMBER_BYTES

/* Reads the number. That of the DS2401 is read at start-up: twice, and more often if interrupts
 * disturb it, until two readings are equal. Only if this fails does a call read it again.
 * number    SERIAL_NUMBER_BYTES of them: words with the most significant byte first on the SAM R21,
 *           what the part sends on a MICA; unchanged after an error
 * returns   0; ERR_EMPTY: the part does not answer; ERR_CORRUPT: it sends a wrong check sum, or
 *           the factory's words are missing; ERR_IO: the part's line is held low
 * context   thread
 * blocks    no       cost  on a MICA start-up takes 13 ms longer, and a call that fails 60 ms. If
 *           two threads read there at the same time, one may get ERR_CORRUPT
 */
MUST_CHECK int serial_number_read(uint8_t *number);

/* The same, but a number that could not be read at start-up is not read again.
 * returns   as serial_number_read
 * context   event, thread, init
 * blocks    no
 */
MUST_CHECK int serial_number_known(uint8_t *number);

#endif
