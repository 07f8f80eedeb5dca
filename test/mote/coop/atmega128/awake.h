/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* For how long the mote has been awake: timer 1 counts the processor's clock divided by 1,024,
 * which stops in the deepest sleep.
 */
#ifndef AWAKE_H
#define AWAKE_H

#include <avr/io.h>
#include <stdint.h>

/* Counts of about 5 ms. */
#define AWAKE_COUNTS 36u

static inline void awake_begin(void)
{
    TCNT1 = 0;
    TCCR1B = 1 << CS12 | 1 << CS10;
}

static inline uint16_t awake_counts(void)
{
    return TCNT1;
}

#endif
