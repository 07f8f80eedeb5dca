/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The interrupts that a stretch makes pending itself: one per level above the kernel's, three lines
 * of the SAM R21 that neither the frame nor the kernel uses. The same names for every chip:
 *
 *   STRETCH_INTERRUPTS(function)       defines their handlers: each calls function(level)
 *   stretch_interrupts_enable()        gives them their levels
 *   stretch_interrupts_prepare()       before each run
 *   stretch_interrupts(levels)         requests those of a set, at the same moment
 */
#ifndef TEST_FORCE_RINGS_STRETCH_INTERRUPT_H
#define TEST_FORCE_RINGS_STRETCH_INTERRUPT_H

#include <stdint.h>

#include <lichen/interrupt.h>

#include "software_interrupt.h"

#define TC4_LINE 19u
#define TC5_LINE 20u
#define ADC_LINE 23u

#define STRETCH_INTERRUPTS(function)                                                               \
    INTERRUPT(TC4)                                                                                 \
    {                                                                                              \
        function(0);                                                                               \
    }                                                                                              \
    INTERRUPT(TC5)                                                                                 \
    {                                                                                              \
        function(1);                                                                               \
    }                                                                                              \
    INTERRUPT(ADC)                                                                                 \
    {                                                                                              \
        function(2);                                                                               \
    }

static inline void stretch_interrupts_enable(void)
{
    software_set_level(TC4_LINE, 0);
    software_set_level(TC5_LINE, 1);
    software_set_level(ADC_LINE, 2);
    NVIC_ISER = 1u << TC4_LINE | 1u << TC5_LINE | 1u << ADC_LINE;
}

static inline void stretch_interrupts_prepare(void)
{
}

static inline void stretch_interrupts(unsigned levels)
{
    NVIC_ISPR = (levels & 3u) << TC4_LINE | (levels >> 2 & 1u) << ADC_LINE;
    __asm__ volatile("dsb\n\tisb" : : : "memory");
}

#endif
