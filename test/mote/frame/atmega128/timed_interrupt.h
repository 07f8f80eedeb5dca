/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An interrupt that comes a given number of cycles from now (frame/samr21/timed_interrupt.h has the
 * names): timer 3 of the ATmega128 counts processor cycles to its compare value B.
 */
#ifndef TEST_MOTE_FRAME_TIMED_INTERRUPT_H
#define TEST_MOTE_FRAME_TIMED_INTERRUPT_H

#include <avr/io.h>
#include <stdbool.h>
#include <stdint.h>

#include <lichen/interrupt.h>

/* Its handler masks interrupts. */
static volatile bool timed_interrupt_masks __attribute__((unused));

/* What the entry of the interrupt has saved. */
static const struct exception_frame *volatile timed_interrupt_frame __attribute__((used));

/* The body leaves by RETI, after which interrupts are on again. */
#define TIMED_INTERRUPT()                                                                          \
    ARCH_VECTOR(TIMER3_COMPB);                                                                     \
    __asm__(ARCH_ENTRY(TIMER3_COMPB, timed_interrupt_handler));                                    \
    void timed_interrupt_handler(void) __attribute__((naked, used));                               \
    void __vector_timed_interrupt(void) __attribute__((signal, used));                             \
    static inline __attribute__((always_inline)) void timed_interrupt_body(void);                  \
    void timed_interrupt_handler(void)                                                             \
    {                                                                                              \
        __asm__ volatile("sts timed_interrupt_frame, r24\n\t"                                      \
                         "sts timed_interrupt_frame + 1, r25\n\t"                                  \
                         "jmp __vector_timed_interrupt");                                          \
    }                                                                                              \
    void __vector_timed_interrupt(void)                                                            \
    {                                                                                              \
        if (timed_interrupt_masks) {                                                               \
            __asm__ volatile("cli");                                                               \
        }                                                                                          \
        timed_interrupt_stop();                                                                    \
        timed_interrupt_body();                                                                    \
    }                                                                                              \
    static inline __attribute__((always_inline)) void timed_interrupt_body(void)

static inline void timed_interrupt_enable(void)
{
    TCCR3A = 0;
    ETIMSK |= 1 << OCIE3B;
}

static inline __attribute__((always_inline)) void timed_interrupt_in(uint16_t cycles)
{
    TCCR3B = 0;
    TCNT3 = 0;
    OCR3B = cycles;
    ETIFR = 1 << OCF3B;
    TCCR3B = 1 << CS30;
}

static inline void timed_interrupt_stop(void)
{
    TCCR3B = 0;
    ETIFR = 1 << OCF3B;
}

static inline void timed_interrupt_urgent(void)
{
    timed_interrupt_masks = true;
}

/* The address of the instruction at which the interrupt has come. */
static inline uintptr_t timed_interrupt_place(void)
{
    const struct exception_frame *frame = timed_interrupt_frame;
    return (uintptr_t)((unsigned)frame->pc_high << 8 | frame->pc_low) * 2;
}

#endif
