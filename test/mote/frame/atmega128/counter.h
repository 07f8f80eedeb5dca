/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The counter under the tick (frame/samr21/counter.h has the names): timer 0 of the ATmega128.
 */
#ifndef TEST_MOTE_FRAME_COUNTER_H
#define TEST_MOTE_FRAME_COUNTER_H

#include <avr/io.h>
#include <stdbool.h>
#include <stdint.h>

#define COUNTER_BITS    8
#define COUNTER_READING 0u

static inline void counter_set(uint32_t count)
{
    TCNT0 = (uint8_t)count;
    while (ASSR & 1 << TCN0UB) {
    }
}

static inline void counter_await(void)
{
    uint8_t before = TCNT0;
    while (TCNT0 == before) {
    }
}

static inline uint32_t counter_read(void)
{
    return TCNT0;
}

/* Whether wraps interrupt. One that does not is reported later. */
static inline void counter_reports_wraps(bool report)
{
    uint8_t status = SREG;
    __asm__ volatile("cli" : : : "memory");
    TIMSK = (uint8_t)((TIMSK & ~(1 << TOIE0)) | (report ? 1 << TOIE0 : 0));
    SREG = status;
}

#endif
