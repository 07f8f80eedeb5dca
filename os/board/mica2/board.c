/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* MICA2 mote: what is wired where. The facts are in board/mica2.toml, from which pins.h is
 * generated. */
#include "pins.h"

#include "chip/chip.h"
#include "chip/atmega128/wiring.h"
#include "driver/button/wiring.h"
#include "driver/led/wiring.h"

const ARCH_FLASH uint32_t board_main_hz = BOARD_XOSC_HZ;

const ARCH_FLASH struct led board_leds[] = {
    {BOARD_LED0_PIN, BOARD_LED0_ON_LEVEL},
    {BOARD_LED1_PIN, BOARD_LED1_ON_LEVEL},
    {BOARD_LED2_PIN, BOARD_LED2_ON_LEVEL},
};
const ARCH_FLASH uint8_t board_led_count = BOARD_LED_COUNT;
_Static_assert(sizeof(board_leds) / sizeof(*board_leds) == BOARD_LED_COUNT, "an LED is missing");

const ARCH_FLASH struct button board_buttons[] = {};
const ARCH_FLASH uint8_t board_button_count = BOARD_BUTTON_COUNT;

/* Every LED is switched off, even in a program that never uses it. */
void board_init(void)
{
    pin_output(BOARD_LED0_PIN, !BOARD_LED0_ON_LEVEL);
    pin_output(BOARD_LED1_PIN, !BOARD_LED1_ON_LEVEL);
    pin_output(BOARD_LED2_PIN, !BOARD_LED2_ON_LEVEL);
}
