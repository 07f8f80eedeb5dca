/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The board's I2C bus. Defined by os/board/<name>, which also gives the bus's interrupt to
 * `i2c_interrupt`. */
#ifndef DRIVER_I2C_WIRING_H
#define DRIVER_I2C_WIRING_H

#include <lichen/arch.h>

struct i2c_port;

extern const ARCH_FLASH struct i2c_port board_i2c;

/* Serves the bus's interrupt. */
void i2c_interrupt(void);

#endif
