/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A clock of about a microsecond (frame/samr21/micro_clock.h has the names): timer 3, 1.085 us a
 * count. It wraps after 71 ms, and stands still in the deeper sleep modes.
 */
#ifndef TEST_MOTE_FRAME_MICRO_CLOCK_H
#define TEST_MOTE_FRAME_MICRO_CLOCK_H

#include <avr/io.h>
#include <stdint.h>

/* What setting an alarm and delivering its event take beside it, to some microseconds; and what
 * sleeping for one takes at most. */
#define MICRO_EVENT_US 114u
#define MICRO_SLACK_US 8u
#define MICRO_SLEEP_US 320u

static inline void micro_start(void)
{
    TCCR3A = 0;
    TCCR3B = 1 << CS31;
}

static inline uint16_t micro_now(void)
{
    uint8_t status = SREG;
    __asm__ volatile("cli" : : : "memory");
    uint16_t now = TCNT3;
    SREG = status;
    return now;
}

/* At least so many microseconds lie between two moments. */
static inline uint32_t micro_us(uint16_t from, uint16_t to)
{
    return (uint32_t)(uint16_t)(to - from) * 625 / 576;
}

#endif
