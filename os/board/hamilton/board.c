/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Hamilton mote: what is wired where. The facts are in board/hamilton.toml, from which pins.h is
 * generated. */
#include "pins.h"

#include "chip/chip.h"
#include "chip/samr21/wiring.h"
#include "driver/button/wiring.h"
#include "driver/led/wiring.h"

CHIP_CRYSTAL(BOARD_XOSC32K_HZ);

const ARCH_FLASH struct led board_leds[] = {
    {BOARD_LED0_PIN, BOARD_LED0_ON_LEVEL},
};
const ARCH_FLASH uint8_t board_led_count = BOARD_LED_COUNT;
_Static_assert(sizeof(board_leds) / sizeof(*board_leds) == BOARD_LED_COUNT, "an LED is missing");

const ARCH_FLASH struct button board_buttons[] = {
    {BOARD_BUTTON0_PIN, BOARD_BUTTON0_ON_LEVEL, BOARD_BUTTON0_PULL},
};
const ARCH_FLASH uint8_t board_button_count = BOARD_BUTTON_COUNT;
_Static_assert(sizeof(board_buttons) / sizeof(*board_buttons) == BOARD_BUTTON_COUNT,
               "a button is missing");

/* Every LED is switched off, even in a program that never uses it. */
void board_init(void)
{
    pin_output(BOARD_LED0_PIN, !BOARD_LED0_ON_LEVEL);
}
