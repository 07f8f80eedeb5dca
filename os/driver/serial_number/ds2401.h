/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The DS2401, a serial number on a 1-Wire line. */
#ifndef DRIVER_SERIAL_NUMBER_DS2401_H
#define DRIVER_SERIAL_NUMBER_DS2401_H

#include <stdint.h>

#include <lichen/arch.h>

enum {
    DS2401_BYTES = 8,
};

/* Its pin; the board's. */
extern const ARCH_FLASH uint8_t ds2401_pin;

/* The number as it was read at start-up; if that has failed, it is read again.
 * returns   as serial_number_read
 * context   thread
 */
int ds2401_read(uint8_t *number);

/* The number if it is known, or the error of the last reading.
 * context   init (after DRIVERS), event, thread
 */
int ds2401_known(uint8_t *number);

#endif
