/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Where the board has its serial number. Defined by os/board/<name>. */
#ifndef DRIVER_SERIAL_NUMBER_WIRING_H
#define DRIVER_SERIAL_NUMBER_WIRING_H

#include <stdint.h>

/* As serial_number_read. */
int board_serial_number(uint8_t *number);

/* As serial_number_known. */
int board_serial_number_known(uint8_t *number);

#endif
