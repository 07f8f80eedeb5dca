/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A source of interrupts for benchmarks: TC3 counts processor cycles and interrupts at each match
 * (SAM R21 data sheet, section Timer/Counter; 16-bit mode, match frequency).
 */
#ifndef BENCH_SIGNAL_H
#define BENCH_SIGNAL_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/interrupt.h>

/* Opens the handler, which begins with signal_clear. `signal_handler` is its first instruction. */
#define SIGNAL_HANDLER                                                                             \
    ARCH_SECOND_NAME("signal_handler", "TC3_handler");                                             \
    INTERRUPT(TC3)

#define TC3_INTFLAG     (*(volatile uint8_t *)0x42002c0eu)
#define TC3_INTFLAG_OVF 1u

/* Interrupts each `cycles` processor cycles at the drivers' level; the program opens
 * SIGNAL_HANDLER. */
void signal_start(uint16_t cycles);

/* Sets the flag at the same rate, for a program that polls it. */
void signal_start_silent(uint16_t cycles);

static inline bool signal_is_set(void)
{
    return (TC3_INTFLAG & TC3_INTFLAG_OVF) != 0;
}

static inline void signal_clear(void)
{
    TC3_INTFLAG = TC3_INTFLAG_OVF;
}

#endif
