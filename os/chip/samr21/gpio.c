/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Pins: PORT registers. Levels go over the processor's own bus, where a store takes one cycle;
 * configuration, which that bus does not reach, over the peripheral bus.
 */
#include <lichen/gpio.h>

#include "chip/samr21/pin.h"

enum {
    PINS_PER_WRCONFIG = 16,
};

void gpio_set(uint8_t pin)
{
    levels_of(pin)->OUTSET = mask_of(pin);
}

void gpio_clear(uint8_t pin)
{
    levels_of(pin)->OUTCLR = mask_of(pin);
}

void gpio_toggle(uint8_t pin)
{
    levels_of(pin)->OUTTGL = mask_of(pin);
}

/* Read over the peripheral bus, where the input's synchronizer samples on demand and needs no clock
 * between reads. */
bool gpio_read(uint8_t pin)
{
    return configuration_of(pin)->IN & mask_of(pin);
}

void gpio_output(uint8_t pin, bool level)
{
    if (level) {
        gpio_set(pin);
    } else {
        gpio_clear(pin);
    }
    configuration_of(pin)->PINCFG[pin % PINS_PER_GROUP] = PORT_PINCFG_INEN;
    levels_of(pin)->DIRSET = mask_of(pin);
}

/* The OUT bit of an input selects the direction of its pull. */
void gpio_input(uint8_t pin, enum gpio_pull pull)
{
    uint8_t configuration = PORT_PINCFG_INEN;

    levels_of(pin)->DIRCLR = mask_of(pin);
    if (pull != GPIO_PULL_NONE) {
        configuration |= PORT_PINCFG_PULLEN;
    }
    if (pull == GPIO_PULL_UP) {
        gpio_set(pin);
    } else {
        gpio_clear(pin);
    }
    configuration_of(pin)->PINCFG[pin % PINS_PER_GROUP] = configuration;
}

/* Two pins share a PMUX: it is written through WRCONFIG, which leaves the other pin's half alone.
 */
void gpio_pin_connect(uint8_t pin, char function)
{
    struct port_group *group = configuration_of(pin);
    unsigned number = pin % PINS_PER_GROUP;
    uint32_t configuration = group->PINCFG[number] | PORT_PINCFG_PMUXEN | PORT_PINCFG_INEN;
    uint32_t half = number < PINS_PER_WRCONFIG ? 0 : PORT_WRCONFIG_HWSEL;

    group->WRCONFIG = half | PORT_WRCONFIG_WRPINCFG | PORT_WRCONFIG_WRPMUX |
                      (uint32_t)(function - 'A') << PORT_WRCONFIG_PMUX_Pos |
                      configuration << PORT_WRCONFIG_PINCFG_Pos |
                      UINT32_C(1) << number % PINS_PER_WRCONFIG;
}
