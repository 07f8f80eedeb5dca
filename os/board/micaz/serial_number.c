/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* MICAz mote: its serial number is that of a DS2401. */
#include "pins.h"

#include <lichen/serial_number.h>

#include "driver/serial_number/ds2401.h"
#include "driver/serial_number/wiring.h"

_Static_assert(SERIAL_NUMBER_BYTES == DS2401_BYTES, "the part's number");

const ARCH_FLASH uint8_t ds2401_pin = BOARD_DS2401_PIN;

int board_serial_number(uint8_t *number)
{
    return ds2401_read(number);
}

int board_serial_number_known(uint8_t *number)
{
    return ds2401_known(number);
}
