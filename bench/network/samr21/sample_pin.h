/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The pin of the first LED: PA19 on hamilton and samr21-xpro. The same name for every chip. */
#ifndef BENCH_SAMPLE_PIN_H
#define BENCH_SAMPLE_PIN_H

#include <lichen/gpio.h>

static inline void sample_pin_toggle(void)
{
    gpio_toggle(GPIO_PIN('A', 19));
}

#endif
