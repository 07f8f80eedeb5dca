/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Pins with waves on the ATmega128. */
#ifndef PWM_OF_CHIP_H
#define PWM_OF_CHIP_H

#include <lichen/gpio.h>

enum {
    ONE = GPIO_PIN('B', 5),
    OTHER = GPIO_PIN('B', 6),
    NO_WAVES = GPIO_PIN('C', 1),
};

/* One for each output. */
#define ALL_OUTPUTS GPIO_PIN('B', 5), GPIO_PIN('B', 6), GPIO_PIN('B', 7)

#endif
