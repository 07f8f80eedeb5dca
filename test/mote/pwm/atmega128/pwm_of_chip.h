/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Pins with waves on the ATmega128. */
#ifndef PWM_OF_CHIP_H
#define PWM_OF_CHIP_H

#include <lichen/gpio.h>

enum {
    ONE = GPIO_PIN('E', 3),
    OTHER = GPIO_PIN('E', 4),
    NO_WAVES = GPIO_PIN('C', 1),
};

/* One for each output. */
#define ALL_OUTPUTS GPIO_PIN('E', 3), GPIO_PIN('E', 4), GPIO_PIN('E', 5)

#endif
