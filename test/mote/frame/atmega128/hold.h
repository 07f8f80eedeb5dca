/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Keeping the processor without computing: in idle mode, until timer 1 has counted seconds at the
 * most urgent level.
 */
#ifndef TEST_MOTE_FRAME_HOLD_H
#define TEST_MOTE_FRAME_HOLD_H

#include <avr/io.h>
#include <stdint.h>

#include <lichen/interrupt.h>

static volatile uint32_t held_s;

/* The vector is the handler. */
ARCH_VECTOR(TIMER1_COMPA);
ARCH_SECOND_NAME("entry_TIMER1_COMPA", "__vector_hold");
void __vector_hold(void) __attribute__((signal, used));
void __vector_hold(void)
{
    held_s++;
}

static inline uint32_t held_now(void)
{
    uint8_t status = SREG;
    __asm__ volatile("cli" : : : "memory");
    uint32_t now = held_s;
    SREG = status;
    return now;
}

/* Keeps its caller for some seconds. */
static inline void hold_s(uint32_t seconds)
{
    uint8_t mode = MCUCR;
    TCCR1B = 0;
    TCNT1 = 0;
    OCR1A = 7199; /* a second, at 7.3728 MHz divided by 1,024 */
    TIFR = 1 << OCF1A;
    TIMSK |= 1 << OCIE1A;
    held_s = 0;
    TCCR1B = 1 << WGM12 | 1 << CS12 | 1 << CS10;
    MCUCR = 1 << SE;
    while (held_now() < seconds) {
        __asm__ volatile("sleep" : : : "memory");
    }
    MCUCR = mode;
    TCCR1B = 0;
}

#endif
