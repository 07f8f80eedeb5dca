/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The serial number, wherever the board has it. */
#include <lichen/serial_number.h>

#include "driver/serial_number/wiring.h"

int serial_number_read(uint8_t *number)
{
    return board_serial_number(number);
}

int serial_number_known(uint8_t *number)
{
    return board_serial_number_known(number);
}
