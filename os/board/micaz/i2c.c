/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* MICAz mote: the I2C bus on the 51-pin connector. In a separate file, so that a program without it
 * does not link the driver and its interrupt. */
#include "pins.h"

#include "chip/atmega128/wiring.h"
#include "driver/i2c/wiring.h"

const ARCH_FLASH struct i2c_port board_i2c = {
    .sda_pin = BOARD_I2C_SDA_PIN,
    .scl_pin = BOARD_I2C_SCL_PIN,
};

CHIP_I2C_INTERRUPT(i2c_interrupt)
