/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The AT86RF233 in the SAM R21's package. */
#ifndef PART_OF_CHIP_H
#define PART_OF_CHIP_H

#include <lichen/gpio.h>

enum {
    SELECT = GPIO_PIN('B', 31),
    SLP_TR = GPIO_PIN('A', 20), /* the radio sleeps while it is high */
    ASK = 0x80 | 0x1c,          /* reads PART_NUM */
    ANSWER = 0x0b,
    SLOW_HZ = 100000,
    BYTE_US = 80,
    /* Of a transfer's system calls, and of two readings of the clock. */
    AROUND_US = 1500,
};

static inline void wake_radio(void)
{
    gpio_clear(SLP_TR);
}

#endif
