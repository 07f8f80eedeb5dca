/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Pins; the boards have no button (start/samr21/start_of_chip.h has the names). */
#ifndef START_OF_CHIP_H
#define START_OF_CHIP_H

#include <avr/io.h>
#include <stdbool.h>

#include <lichen/event.h>
#include <lichen/gpio.h>

/* No board uses it. */
#define DRIVEN_PIN GPIO_PIN('C', 7)

/* The pins of three LEDs. */
static inline bool led_is_driven(void)
{
    return (DDRA & 7) == 7;
}

static inline void use_button(struct event *pressed)
{
    (void)pressed;
}

static inline bool button_is_pressed(void)
{
    return false;
}

#endif
