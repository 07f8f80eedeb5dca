/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Keeping the processor: TC3 counts 32 times a second. The same names for every chip. */
#ifndef KEEP_H
#define KEEP_H

#include <stdbool.h>

#include "timed_interrupt.h"

#define GCLK_CLKCTRL_TC3_32K 0x421bu /* CLKEN, generator 2, TCC2 and TC3 */
#define TC3_CTRLA_32_HZ      (TC3_CTRLA_MFRQ | 7u << 8 | 1u << 11)
#define COUNTS_PER_S         32u

static volatile bool passed;

INTERRUPT(TC3)
{
    TC3_INTFLAG = TC3_INTFLAG_OVF;
    passed = true;
}

static inline void keep_prepare(void)
{
    PM_APBCMASK |= PM_APBCMASK_TC3;
    GCLK_CLKCTRL = GCLK_CLKCTRL_TC3_32K;
    while (GCLK_STATUS & TC_GCLK_SYNCBUSY) {
    }
    TC3_INTENSET = TC3_INTFLAG_OVF;
    TIMED_NVIC_IPR4 = TIMED_NVIC_IPR4 & ~(0xffu << 16);
    TIMED_NVIC_ISER = 1u << TC3_LINE;
}

static inline void keep_processor(unsigned seconds)
{
    TC3_CTRLA = TC3_CTRLA_32_HZ;
    timed_interrupt_synchronized();
    TC3_COUNT = 0;
    timed_interrupt_synchronized();
    TC3_CC0 = (uint16_t)(seconds * COUNTS_PER_S - 1);
    timed_interrupt_synchronized();
    passed = false;
    TC3_CTRLA = TC3_CTRLA_32_HZ | TC3_CTRLA_ENABLE;
    while (!passed) {
        __asm__ volatile("wfi");
    }
    TC3_CTRLA = 0;
}

#endif
