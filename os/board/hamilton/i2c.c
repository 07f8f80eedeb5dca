/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Hamilton mote: the I2C bus of its parts. In a separate file, so that a program without it does
 * not link the driver and its interrupt. */
#include "pins.h"

#include "chip/samr21/wiring.h"
#include "driver/i2c/wiring.h"

CHIP_I2C_INTERRUPTS(BOARD_I2C_SERCOM, i2c_interrupt)

const ARCH_FLASH struct i2c_port board_i2c = {
    .sercom = BOARD_I2C_SERCOM,
    .function = BOARD_I2C_FUNCTION,
    .sda_pin = BOARD_I2C_SDA_PIN,
    .scl_pin = BOARD_I2C_SCL_PIN,
    .channel = &i2c_channel,
};
