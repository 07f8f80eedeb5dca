/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Pins whose number is not known when the program is compiled. */
#include <lichen/gpio.h>

#include "chip/atmega128/pin.h"

/* mask_of, read, since a shift takes five cycles for each bit. */
static uint8_t mask_at(uint8_t pin)
{
    static const ARCH_FLASH uint8_t masks[] = {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80};

    return masks[pin & 7u];
}

void gpio_set(uint8_t pin)
{
    register_update(port_of(pin), mask_at(pin), mask_at(pin));
}

void gpio_clear(uint8_t pin)
{
    register_update(port_of(pin), mask_at(pin), 0);
}

void gpio_toggle(uint8_t pin)
{
    register_toggle(port_of(pin), mask_at(pin));
}

bool gpio_read(uint8_t pin)
{
    return *input_of(pin) & mask_at(pin);
}

void gpio_output(uint8_t pin, bool level)
{
    volatile uint8_t *port = port_of(pin);

    register_update(port, mask_at(pin), level ? mask_at(pin) : 0);
    register_update(port - 1, mask_at(pin), mask_at(pin));
}

/* PORTx of an input enables its pull-up; there is no pull-down. */
void gpio_input(uint8_t pin, enum gpio_pull pull)
{
    volatile uint8_t *port = port_of(pin);

    register_update(port - 1, mask_at(pin), 0);
    register_update(port, mask_at(pin), pull == GPIO_PULL_UP ? mask_at(pin) : 0);
}
