/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* CLKM, the radio's clock output of 1 MHz, as a pin: who counts it asks first whether it runs,
 * since the clock controller would wait for ever for a generator whose source stands. */
#ifndef SAMR21_CLKM_H
#define SAMR21_CLKM_H

#include <stdbool.h>

#include <lichen/gpio.h>

#define CLKM_PIN GPIO_PIN('C', 16)

/* More than six periods of the crystal's clock, in loops of 8 cycles at 48 MHz. */
enum { PATIENCE_LOOPS = 64 };

/* Whether it runs. Equal intervals between readings may be whole periods, so every few readings one
 * is three cycles longer. */
static inline bool clkm_runs(void)
{
    bool first = gpio_read(CLKM_PIN);
    for (unsigned loops = PATIENCE_LOOPS; loops > 0; loops--) {
        if (gpio_read(CLKM_PIN) != first) {
            return true;
        }
        if (loops % 4 == 0) {
            __asm__ volatile("nop\n\tnop\n\tnop");
        }
    }
    return false;
}

#endif
