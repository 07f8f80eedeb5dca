/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The LEDs of a board. Defined by os/board/<name>, which also makes their pins outputs. */
#ifndef DRIVER_LED_WIRING_H
#define DRIVER_LED_WIRING_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/arch.h>

struct led {
    uint8_t pin;   /* GPIO_PIN(...) */
    bool on_level; /* level at which it is lit */
};

extern const ARCH_FLASH struct led board_leds[];
extern const ARCH_FLASH uint8_t board_led_count;

#endif
