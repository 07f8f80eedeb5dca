/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Pins and a button. The same names for every chip. */
#ifndef START_OF_CHIP_H
#define START_OF_CHIP_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/button.h>
#include <lichen/gpio.h>

/* No board uses it. */
#define DRIVEN_PIN GPIO_PIN('A', 17)

/* The pin of both boards' LED: PORT's DIR of port A (SAM R21 data sheet, section PORT). */
#define PORTA_DIR (*(volatile uint32_t *)0x41004400u)
#define LED_PIN   19u

static inline bool led_is_driven(void)
{
    return (PORTA_DIR & 1u << LED_PIN) != 0;
}

static inline void use_button(struct event *pressed)
{
    button_notify(0, pressed);
}

static inline bool button_is_pressed(void)
{
    return button_pressed(0);
}

#endif
