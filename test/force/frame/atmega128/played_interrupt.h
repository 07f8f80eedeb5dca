/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The interrupt of a part that a program plays (frame/samr21/played_interrupt.h has the names): a
 * pin of the ATmega128 that is low, and requests an interrupt whenever that is enabled. Its entry
 * disables it.
 */
#ifndef TEST_FORCE_FRAME_PLAYED_INTERRUPT_H
#define TEST_FORCE_FRAME_PLAYED_INTERRUPT_H

#include <avr/io.h>
#undef INT5

#include <lichen/interrupt.h>

#define PLAYED_INTERRUPT() INTERRUPT(INT5)

static inline void played_interrupt_enable(void)
{
    DDRE |= 1 << DDE5;
}

/* No other interrupt of this register is in use. */
static inline __attribute__((always_inline)) void played_interrupt(void)
{
    EIMSK = 1 << 5;
    __asm__ volatile("nop\n\tnop" : : : "memory");
}

#endif
