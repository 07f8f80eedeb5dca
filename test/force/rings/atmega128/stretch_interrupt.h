/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The interrupts that a stretch makes pending itself (rings/samr21/stretch_interrupt.h has the
 * names): two compare values of timer 3 of the ATmega128. Their flags are set before the run, so
 * enabling the interrupts requests both at the same moment; the processor clears each flag when it
 * enters the handler.
 */
#ifndef TEST_FORCE_RINGS_STRETCH_INTERRUPT_H
#define TEST_FORCE_RINGS_STRETCH_INTERRUPT_H

#include <avr/io.h>
#include <stdint.h>

#include <lichen/interrupt.h>

#define STRETCH_FLAGS (1 << OCF3A | 1 << OCF3B)

/* Level 0: the vector is the handler. */
#define STRETCH_INTERRUPTS(function)                                                               \
    ARCH_VECTOR(TIMER3_COMPA);                                                                     \
    ARCH_SECOND_NAME("entry_TIMER3_COMPA", "__vector_stretch_0");                                  \
    void __vector_stretch_0(void) __attribute__((signal, used));                                   \
    void __vector_stretch_0(void)                                                                  \
    {                                                                                              \
        function(0);                                                                               \
    }                                                                                              \
    INTERRUPT(TIMER3_COMPB)                                                                        \
    {                                                                                              \
        function(1);                                                                               \
    }

static inline void stretch_interrupts_enable(void)
{
    OCR3A = 1;
    OCR3B = 1;
}

static inline void stretch_interrupts_prepare(void)
{
    ETIMSK = 0;
    TCNT3 = 0;
    TCCR3B = 1 << CS30;
    while ((ETIFR & STRETCH_FLAGS) != STRETCH_FLAGS) {
    }
    TCCR3B = 0;
}

/* No other interrupt of this register is in use. */
static inline void stretch_interrupts(unsigned levels)
{
    ETIMSK = (uint8_t)((levels & 1u) << OCIE3A | (levels >> 1 & 1u) << OCIE3B);
    __asm__ volatile("nop\n\tnop" : : : "memory");
}

#endif
