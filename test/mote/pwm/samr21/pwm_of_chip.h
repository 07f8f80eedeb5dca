/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Pins with waves on the SAM R21. The same names for every chip. */
#ifndef PWM_OF_CHIP_H
#define PWM_OF_CHIP_H

#include <lichen/gpio.h>

enum {
    ONE = GPIO_PIN('A', 19),
    OTHER = GPIO_PIN('A', 16),
    NO_WAVES = GPIO_PIN('A', 28),
};

/* One for each output, and one more. */
#define ALL_OUTPUTS                                                                                \
    GPIO_PIN('A', 16), GPIO_PIN('A', 17), GPIO_PIN('A', 18), GPIO_PIN('A', 19), GPIO_PIN('A', 11)

#endif
