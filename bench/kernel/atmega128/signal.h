/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A source of interrupts for benchmarks: timer 1 counts processor cycles and interrupts at each
 * match of OCR1A (ATmega128 data sheet, 16-bit Timer/Counter, CTC mode).
 */
#ifndef BENCH_SIGNAL_H
#define BENCH_SIGNAL_H

#include <stdbool.h>
#include <stdint.h>

#include <avr/io.h>

#include <lichen/interrupt.h>

/* Opens the handler, which begins with signal_clear. `signal_handler` is the first instruction that
 * the vector leads to. */
#define SIGNAL_HANDLER                                                                             \
    __asm__(".global signal_handler\n.set signal_handler, entry_TIMER1_COMPA");                    \
    INTERRUPT(TIMER1_COMPA)

/* Interrupts each `cycles` processor cycles at the drivers' level; the program opens
 * SIGNAL_HANDLER. */
void signal_start(uint16_t cycles);

/* Sets the flag at the same rate, for a program that polls it. */
void signal_start_silent(uint16_t cycles);

static inline bool signal_is_set(void)
{
    return (TIFR & 1 << OCF1A) != 0;
}

/* The processor has cleared it, if it has entered the handler. */
static inline void signal_clear(void)
{
}

#endif
