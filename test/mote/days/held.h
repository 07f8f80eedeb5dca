/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Keeping the processor for hours. */
#ifndef TEST_MOTE_DAYS_HELD_H
#define TEST_MOTE_DAYS_HELD_H

/* Prepares the timer that the next function waits for. */
void hold_prepare(void);

/* Keeps its caller, below the most urgent level, for a number of half hours of the 32 kHz clock. */
void hold_half_hours(unsigned count);

/* Keeps an interrupt handler for as long as one may last. */
void hold_in_interrupt(void);

#endif
