/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Computing for long in few instructions (slices/samr21/computing.h has the names): the processor
 * sleeps in idle mode, where the slice timer of the ATmega128 counts, too, until timer 1 has
 * counted a step at the most urgent level. Ticks are the processor's clock divided by 256.
 */
#ifndef TEST_FORCE_SLICES_COMPUTING_H
#define TEST_FORCE_SLICES_COMPUTING_H

#include <avr/io.h>
#include <stdbool.h>
#include <stdint.h>

#include <lichen/interrupt.h>
#include <lichen/power.h>

#include "chip/chip.h"

typedef uint16_t computing_t;
#define SLICE 144u /* 5 ms */
#define STEP  7u
#define SLACK 24u /* some steps, switches and interrupts */
#define GAP   50u

/* While it computes, no thread is idle; before and after that, timer 1 must count as well. */
POWER_LIMIT(computes);

/* The vector is the handler. */
ARCH_VECTOR(TIMER1_COMPA);
ARCH_SECOND_NAME("entry_TIMER1_COMPA", "__vector_step");
void __vector_step(void) __attribute__((signal, used));
void __vector_step(void)
{
    OCR1A += STEP;
}

/* Threads that read preempt each other, and share the byte through which the upper half is read. */
static inline computing_t computing_now(void)
{
    __asm__ volatile("sleep\n\tcli" : : : "memory");
    computing_t now = TCNT1;
    __asm__ volatile("sei" : : : "memory");
    return now;
}

static inline void computing_start(void)
{
    power_limit(&computes, CHIP_SLEEP_IDLE);
    MCUCR = 1 << SE;
    OCR1A = STEP;
    TIMSK |= 1 << OCIE1A;
    TCCR1B = 1 << CS12;
}

static inline bool slice_timer_runs(void)
{
    return TCCR2 != 0;
}

#endif
