/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Pins whose number is not known when the program is compiled. */
#include <lichen/gpio.h>

#include "chip/atmega128/pin.h"

void gpio_set(uint8_t pin)
{
    register_update(port_of(pin), mask_of(pin), mask_of(pin));
}

void gpio_clear(uint8_t pin)
{
    register_update(port_of(pin), mask_of(pin), 0);
}

void gpio_toggle(uint8_t pin)
{
    register_toggle(port_of(pin), mask_of(pin));
}

bool gpio_read(uint8_t pin)
{
    return *input_of(pin) & mask_of(pin);
}

void gpio_output(uint8_t pin, bool level)
{
    volatile uint8_t *port = port_of(pin);

    register_update(port, mask_of(pin), level ? mask_of(pin) : 0);
    register_update(port - 1, mask_of(pin), mask_of(pin));
}

/* PORTx of an input enables its pull-up; there is no pull-down. */
void gpio_input(uint8_t pin, enum gpio_pull pull)
{
    volatile uint8_t *port = port_of(pin);

    register_update(port - 1, mask_of(pin), 0);
    register_update(port, mask_of(pin), pull == GPIO_PULL_UP ? mask_of(pin) : 0);
}
