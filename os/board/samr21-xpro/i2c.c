/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* SAM R21 Xplained Pro: the I2C bus of its parts. In a separate file, so that a program without it
 * does not link the driver and its interrupt. */
#include "pins.h"

#include <lichen/interrupt.h>

#include "chip/samr21/wiring.h"
#include "driver/i2c/wiring.h"

const ARCH_FLASH struct i2c_port board_i2c = {
    .sercom = BOARD_I2C_SERCOM,
    .function = BOARD_I2C_FUNCTION,
    .sda_pin = BOARD_I2C_SDA_PIN,
    .scl_pin = BOARD_I2C_SCL_PIN,
};

INTERRUPT(SERCOM_VECTOR(BOARD_I2C_SERCOM))
{
    i2c_interrupt();
}
