/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Pins as the chip's own drivers use them. */
#ifndef SAMR21_PIN_H
#define SAMR21_PIN_H

#include <stdbool.h>
#include <stdint.h>

#include "chip/samr21/reg/port.h"

enum {
    PINS_PER_GROUP = 32,
};

/* The registers of a pin's level, on the processor's own bus, where a store takes one cycle. */
static inline struct port_group *levels_of(uint8_t pin)
{
    return &PORT_IOBUS[pin / PINS_PER_GROUP];
}

/* The registers of its configuration, which that bus does not reach. */
static inline struct port_group *configuration_of(uint8_t pin)
{
    return &PORT[pin / PINS_PER_GROUP];
}

static inline uint32_t mask_of(uint8_t pin)
{
    return UINT32_C(1) << pin % PINS_PER_GROUP;
}

/* Drives a pin that is as it was after reset. Its input buffer stays off, so its level cannot be
 * read. */
static inline void pin_output(uint8_t pin, bool level)
{
    if (level) {
        levels_of(pin)->OUTSET = mask_of(pin);
    } else {
        levels_of(pin)->OUTCLR = mask_of(pin);
    }
    levels_of(pin)->DIRSET = mask_of(pin);
}

/* Gives `pin` to the peripheral of `function`, 'A' to 'H' as in the data sheet's table of
 * multiplexed signals. The input buffer is on, so that edges and levels are seen. */
void gpio_pin_connect(uint8_t pin, char function);

#endif
