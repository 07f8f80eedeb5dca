/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The interrupts of this program (everything/samr21/tasks.h has the names). */
#ifndef TEST_CORRUPT_EVERYTHING_TASKS_H
#define TEST_CORRUPT_EVERYTHING_TASKS_H

#include <avr/io.h>

#include <lichen/interrupt.h>
#include <lichen/rt.h>

/* They have no room for every interrupt on top of the deepest call; in its runs the kernel checks
 * that none is used up. */
#define STACKS_CHECKED_BY_RUNS ARCH_STACKS_STATED(150)

#define PART_STACK   150u
#define MORE_STACK   160u
#define ROUNDS_STACK 180u

#define URGENT_TASK(...) RT_TASK(urgent, USART1_UDRE, __VA_ARGS__)
#define LESSER_TASK(...) RT_TASK(lesser, EE_READY, __VA_ARGS__)
#define DRIVER_HANDLER() INTERRUPT(TIMER3_COMPB)

/* USART1 can send as long as it is enabled. */
#define urgent_begins() (UCSR1B = 0)
#define driver_begins() (TCCR3B = 0)
#define tasks_enable()  ((void)0)

static inline void tasks_request(void)
{
    TCNT3 = 0;
    OCR3B = 100;
    ETIMSK = 1 << OCIE3B;
    TCCR3B = 1 << CS30;
    EECR = 1 << EERIE;
    UCSR1B = 1 << UDRIE1;
}

#endif
