/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* MICAz mote: its analog pins. In a separate file, so that a program without them does not link
 * the driver and its interrupt. */
#include "pins.h"

#include <lichen/interrupt.h>

#include "driver/adc/wiring.h"

const ARCH_FLASH uint8_t board_analog_pins[] = {
    BOARD_ANALOG0_PIN, BOARD_ANALOG1_PIN, BOARD_ANALOG2_PIN, BOARD_ANALOG3_PIN,
    BOARD_ANALOG4_PIN, BOARD_ANALOG5_PIN, BOARD_ANALOG6_PIN, BOARD_ANALOG7_PIN,
};
const ARCH_FLASH uint8_t board_analog_pin_count = BOARD_ANALOG_COUNT;
_Static_assert(sizeof(board_analog_pins) == BOARD_ANALOG_COUNT, "a pin is missing");

INTERRUPT(ADC)
{
    adc_interrupt();
}
