/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The CC2420 of the MICAz. */
#ifndef PART_OF_CHIP_H
#define PART_OF_CHIP_H

#include <lichen/gpio.h>

enum {
    SELECT = GPIO_PIN('B', 0),
    RESETN = GPIO_PIN('A', 6),
    VREG_EN = GPIO_PIN('A', 5),
    ASK = 0x40 | 0x1e, /* reads MANFIDL */
    ANSWER = 0x23,     /* its high byte */
    SLOW_HZ = 60000,   /* the crystal, divided by 128: 57,600 */
    BYTE_US = 138,
    /* Of a transfer's system calls, of its interrupts, and of two readings of the clock. */
    AROUND_US = 5000,
};

static inline void wake_radio(void)
{
    gpio_output(RESETN, true);
    gpio_output(VREG_EN, true);
}

#endif
