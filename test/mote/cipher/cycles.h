/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Cycles of what the tests compare. */
#ifndef TEST_MOTE_CIPHER_CYCLES_H
#define TEST_MOTE_CIPHER_CYCLES_H

#include <lichen/time.h>

#include "of_chip.h"

/* What an interrupt has made longer is tried again: one of so many is without. */
#define MEASUREMENTS 3

static inline cycles_t shorter(cycles_t one, cycles_t other)
{
    return one < other ? one : other;
}

/* Waits until the console has sent what was printed, so that it interrupts seldom. */
static inline void await_quiet(void)
{
    sleep_ms(50);
}

#endif
