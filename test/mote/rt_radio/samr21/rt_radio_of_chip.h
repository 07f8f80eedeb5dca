/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The counter of RT_TIMER_A, TC3. */
#ifndef RT_RADIO_OF_CHIP_H
#define RT_RADIO_OF_CHIP_H

#include <stdint.h>

/* Eighths of a microsecond: of a wake-up from IDLE2, the task's entry and the reading; without the
 * radio it is 127, too. */
enum { LATEST_COUNTS = 136 };

static inline __attribute__((always_inline)) uint16_t counts_of_a(void)
{
    return *(volatile uint16_t *)0x42002c10; /* COUNT */
}

#endif
