/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* SAM R21 Xplained Pro: its serial number is the chip's. */
#include "chip/serial_number.h"
#include "driver/serial_number/wiring.h"

int board_serial_number(uint8_t *number)
{
    return chip_serial_number(number);
}

int board_serial_number_known(uint8_t *number)
{
    return chip_serial_number(number);
}
