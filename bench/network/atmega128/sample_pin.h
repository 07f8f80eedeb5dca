/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The pin of the first LED: PA2 on the MICAs (bench/network/samr21/sample_pin.h has the name). */
#ifndef BENCH_SAMPLE_PIN_H
#define BENCH_SAMPLE_PIN_H

#include <avr/io.h>

static inline void sample_pin_toggle(void)
{
    PORTA ^= 1 << 2;
}

#endif
