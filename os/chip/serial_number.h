/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The serial number of chips that have one. */
#ifndef CHIP_SERIAL_NUMBER_H
#define CHIP_SERIAL_NUMBER_H

#include <stdint.h>

/* As serial_number_read of lichen/serial_number.h.
 * context   any
 */
int chip_serial_number(uint8_t *number);

#endif
