/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A counter of microseconds that the kernel does not know: TC4 and TC5 of the SAM R21 as one of 32
 * bits, from the 8 MHz of the serial ports divided by 8 (data sheet, section TC), which it keeps
 * running in every sleep mode. Reading it does not disturb the kernel. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include <stdint.h>

#include "timed_interrupt.h"

#define PM_APBCMASK_TC4_TC5  (3u << 12)
#define GCLK_CLKCTRL_TC4_TC5 0x431cu /* CLKEN, generator 3, TC4 and TC5 */
#define TC4_CTRLA            (*(volatile uint16_t *)0x42003000u)
#define TC4_CTRLA_COUNT32    (2u << 2)
#define TC4_CTRLA_ENABLE     (1u << 1)
#define TC4_CTRLA_RUNSTDBY   (1u << 11)
#define TC4_READREQ          (*(volatile uint16_t *)0x42003002u)
#define TC4_READREQ_COUNT    0x8010u
#define TC4_CTRLA_DIV8       (3u << 8)
#define TC4_STATUS           (*(volatile uint8_t *)0x4200300fu)
#define TC4_COUNT            (*(volatile uint32_t *)0x42003010u)

/* What is read is at most this many microseconds old. */
#define REFERENCE_AGE_US 4u

static inline void reference_crossed(void)
{
    while (TC4_STATUS & TC_GCLK_SYNCBUSY) {
    }
}

static inline void reference_start(void)
{
    PM_APBCMASK |= PM_APBCMASK_TC4_TC5;
    GCLK_CLKCTRL = GCLK_CLKCTRL_TC4_TC5;
    while (GCLK_STATUS & TC_GCLK_SYNCBUSY) {
    }
    TC4_CTRLA = TC4_CTRLA_COUNT32 | TC4_CTRLA_RUNSTDBY | TC4_CTRLA_DIV8;
    reference_crossed();
    TC4_CTRLA = TC4_CTRLA_COUNT32 | TC4_CTRLA_RUNSTDBY | TC4_CTRLA_DIV8 | TC4_CTRLA_ENABLE;
    reference_crossed();
}

static inline uint32_t reference_now(void)
{
    reference_crossed();
    TC4_READREQ = TC4_READREQ_COUNT;
    reference_crossed();
    return TC4_COUNT;
}

#endif
