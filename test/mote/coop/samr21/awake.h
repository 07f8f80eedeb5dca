/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* For how long the mote has been awake: TC3 counts the processor's clock divided by 1,024, which
 * stops in the deepest sleep. The same names for every chip.
 */
#ifndef AWAKE_H
#define AWAKE_H

#include "timed_interrupt.h"

#define TC3_CTRLA_SLOWLY (TC3_CTRLA_MFRQ | 7u << 8)

/* Counts of about 5 ms. */
#define AWAKE_COUNTS 40u

TIMED_INTERRUPT()
{
}

static inline void awake_begin(void)
{
    timed_interrupt_enable();
    TC3_CTRLA = TC3_CTRLA_SLOWLY;
    timed_interrupt_synchronized();
    TC3_COUNT = 0;
    timed_interrupt_synchronized();
    TC3_CC0 = UINT16_MAX;
    timed_interrupt_synchronized();
    TC3_CTRLA = TC3_CTRLA_SLOWLY | TC3_CTRLA_ENABLE;
}

static inline uint16_t awake_counts(void)
{
    return TC3_COUNT;
}

#endif
