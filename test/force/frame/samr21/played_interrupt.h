/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The interrupt of a part that a program plays, at the drivers' level: a line of the SAM R21 that
 * nothing else uses. The same names for every chip:
 *
 *   PLAYED_INTERRUPT() { ... }     opens its handler
 *   played_interrupt_enable()      gives it its level
 *   played_interrupt()             requests it, at any level
 */
#ifndef TEST_FORCE_FRAME_PLAYED_INTERRUPT_H
#define TEST_FORCE_FRAME_PLAYED_INTERRUPT_H

#include <lichen/interrupt.h>

#include "software_interrupt.h"

#define PLAYED_LINE 23u

#define PLAYED_INTERRUPT() INTERRUPT(ADC)

static inline void played_interrupt_enable(void)
{
    software_set_level(PLAYED_LINE, ARCH_LEVEL_DRIVER);
    NVIC_ISER = 1u << PLAYED_LINE;
}

static inline __attribute__((always_inline)) void played_interrupt(void)
{
    NVIC_ISPR = 1u << PLAYED_LINE;
    __asm__ volatile("dsb\n\tisb" : : : "memory");
}

#endif
