/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Interrupt lines of the SAM R21 and the registers of the Cortex-M0+ that control them (ARMv6-M
 * Architecture Reference Manual, NVIC and System Control Block). */
#ifndef SAMR21_INTERRUPT_H
#define SAMR21_INTERRUPT_H

#include <stdint.h>

#include "chip/register.h"

/* Lines, named as the vectors. */
enum interrupt {
    INTERRUPT_PM = 0,
    INTERRUPT_SYSCTRL = 1,
    INTERRUPT_WDT = 2,
    INTERRUPT_RTC = 3,
    INTERRUPT_EIC = 4,
    INTERRUPT_NVMCTRL = 5,
    INTERRUPT_DMAC = 6,
    INTERRUPT_USB = 7,
    INTERRUPT_EVSYS = 8,
    INTERRUPT_SERCOM0 = 9, /* SERCOM n: plus n */
    INTERRUPT_SERCOM1 = 10,
    INTERRUPT_SERCOM2 = 11,
    INTERRUPT_SERCOM3 = 12,
    INTERRUPT_SERCOM4 = 13,
    INTERRUPT_SERCOM5 = 14,
    INTERRUPT_TCC0 = 15,
    INTERRUPT_TCC1 = 16,
    INTERRUPT_TCC2 = 17,
    INTERRUPT_TC3 = 18,
    INTERRUPT_TC4 = 19,
    INTERRUPT_TC5 = 20,
    INTERRUPT_ADC = 23,
    INTERRUPT_AC = 24,
    INTERRUPT_PTC = 26,
    INTERRUPT_COUNT = 28,
};

#define NVIC_ISER (*(uint32_t volatile *)0xE000E100)
#define NVIC_ICER (*(uint32_t volatile *)0xE000E180)
#define NVIC_ISPR (*(uint32_t volatile *)0xE000E200)
#define NVIC_ICPR (*(uint32_t volatile *)0xE000E280)
#define NVIC_IPR  ((struct shared_register *)0xE000E400)

#define SCB_SCR (*(uint32_t volatile *)0xE000ED10)

enum {
    SCB_SCR_SLEEPDEEP = 1 << 2,
    SCB_SCR_SEVONPEND = 1 << 4,
};

#endif
