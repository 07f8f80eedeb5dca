/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A clock for lengths of some milliseconds (frame/samr21/fine_clock.h has the names): timer 1, 8.7
 * us a count. It wraps after 0.57 s, and stands still while the mote sleeps.
 */
#ifndef TEST_MOTE_FRAME_FINE_CLOCK_H
#define TEST_MOTE_FRAME_FINE_CLOCK_H

#include <avr/io.h>
#include <stdint.h>

typedef uint16_t fine_t;

/* Threads that read preempt each other, and share the byte through which the upper half is read. */
static inline fine_t fine_now(void)
{
    uint8_t status = SREG;
    __asm__ volatile("cli" : : : "memory");
    TCCR1B = 1 << CS11 | 1 << CS10;
    fine_t now = TCNT1;
    SREG = status;
    return now;
}

static inline uint32_t fine_us(fine_t from, fine_t to)
{
    return (uint32_t)(fine_t)(to - from) * 625 / 72;
}

#endif
