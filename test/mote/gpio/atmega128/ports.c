/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A pin of each port of the ATmega128, to which nothing is connected on a MICAz: their registers do
 * not all follow each other. */
#include <lichen/gpio.h>

#include "test.h"

static const ARCH_FLASH uint8_t pins[] = {
    GPIO_PIN('A', 7), GPIO_PIN('B', 4), GPIO_PIN('C', 7), GPIO_PIN('D', 7),
    GPIO_PIN('E', 7), GPIO_PIN('F', 3), GPIO_PIN('G', 2),
};

TEST(an_output_of_each_port_reads_as_it_was_set)
{
    for (uint8_t i = 0; i < sizeof(pins); i++) {
        gpio_output(pins[i], true);
        expect(gpio_read(pins[i]));
        gpio_clear(pins[i]);
        expect(!gpio_read(pins[i]));
        gpio_toggle(pins[i]);
        expect(gpio_read(pins[i]));
        gpio_input(pins[i], GPIO_PULL_UP);
        expect(gpio_read(pins[i]));
    }
}
