/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The buttons of a board. Defined by os/board/<name>. */
#ifndef DRIVER_BUTTON_WIRING_H
#define DRIVER_BUTTON_WIRING_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/arch.h>
#include <lichen/gpio.h>

enum {
    BUTTONS_MAX = 8, /* on any board */
};

struct button {
    uint8_t pin;         /* GPIO_PIN(...) */
    bool pressed_level;  /* level while it is held down */
    enum gpio_pull pull; /* resistor that the pin itself must provide */
};

extern const ARCH_FLASH struct button board_buttons[];
extern const ARCH_FLASH uint8_t board_button_count;

#endif
