/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* TC3 as a periodic interrupt. */
#include "signal.h"

#include <lichen/interrupt.h>

#define PM_APBCMASK      (*(volatile uint32_t *)0x40000420u)
#define PM_APBCMASK_TC3  (1u << 11)
#define GCLK_STATUS      (*(volatile uint8_t *)0x40000c01u)
#define GCLK_CLKCTRL     (*(volatile uint16_t *)0x40000c02u)
#define GCLK_CLKCTRL_TC3 0x401bu /* CLKEN, generator 0, TCC2 and TC3 */
#define TC3_CTRLA        (*(volatile uint16_t *)0x42002c00u)
#define TC3_CTRLA_MFRQ   (1u << 5)
#define TC3_CTRLA_ENABLE (1u << 1)
#define TC3_INTENSET     (*(volatile uint8_t *)0x42002c0du)
#define TC3_STATUS       (*(volatile uint8_t *)0x42002c0fu)
#define TC3_CC0          (*(volatile uint16_t *)0x42002c18u)
#define SYNCBUSY         (1u << 7)
#define NVIC_ISER        (*(volatile uint32_t *)0xe000e100u)
#define NVIC_IPR4        (*(volatile uint32_t *)0xe000e410u)
#define TC3_LINE         18u

static void synchronized(void)
{
    while (TC3_STATUS & SYNCBUSY) {
    }
}

void signal_start_silent(uint16_t cycles)
{
    PM_APBCMASK |= PM_APBCMASK_TC3;
    GCLK_CLKCTRL = GCLK_CLKCTRL_TC3;
    while (GCLK_STATUS & SYNCBUSY) {
    }
    TC3_CTRLA = TC3_CTRLA_MFRQ;
    TC3_CC0 = (uint16_t)(cycles - 1u);
    synchronized();
    TC3_CTRLA = TC3_CTRLA_MFRQ | TC3_CTRLA_ENABLE;
    synchronized();
}

void signal_start(uint16_t cycles)
{
    signal_start_silent(cycles);
    TC3_INTENSET = TC3_INTFLAG_OVF;
    NVIC_IPR4 = (NVIC_IPR4 & ~(0xffu << 16)) | (uint32_t)LEVEL_DRIVER << 22;
    NVIC_ISER = 1u << TC3_LINE;
}
