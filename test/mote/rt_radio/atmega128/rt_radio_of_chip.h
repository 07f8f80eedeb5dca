/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The counter of RT_TIMER_A (samr21/rt_radio_of_chip.h has the names). */
#ifndef RT_RADIO_OF_CHIP_H
#define RT_RADIO_OF_CHIP_H

#include <avr/io.h>
#include <stdint.h>

/* Cycles until the task reads its counter: of a wake-up, and of its entry, which also waits for the
 * first instructions of another interrupt's entry. */
enum { LATEST_COUNTS = 80 };

static inline __attribute__((always_inline)) uint16_t counts_of_a(void)
{
    return TCNT3;
}

#endif
