/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The counter under the tick, which otherwise only the chip's own code may access: the RTC of the
 * SAM R21 in its 32-bit mode (data sheet, section RTC). Setting it forward makes hours pass in a
 * moment, so that tests reach its wrap thousands of times. The same names for every chip.
 */
#ifndef TEST_MOTE_FRAME_COUNTER_H
#define TEST_MOTE_FRAME_COUNTER_H

#include <stdint.h>

#define RTC_READREQ         (*(volatile uint16_t *)0x40001402u)
#define RTC_READREQ_COUNT   0x8010u
#define RTC_STATUS          (*(volatile uint8_t *)0x4000140au)
#define RTC_STATUS_SYNCBUSY (1u << 7)
#define RTC_COUNT           (*(volatile uint32_t *)0x40001410u)

#define COUNTER_BITS 32

/* How long reading it takes, in ticks. */
#define COUNTER_READING 6u

static inline void counter_crossed(void)
{
    while (RTC_STATUS & RTC_STATUS_SYNCBUSY) {
    }
}

/* Sets it, while no alarm is set and no reading is awaited. Returns when it counts from there. */
static inline void counter_set(uint32_t count)
{
    counter_crossed();
    RTC_COUNT = count;
    counter_crossed();
}

/* Waits until it goes on, if a tick is long enough for that to matter. */
static inline void counter_await(void)
{
}

/* Reads it, while nothing else does and no alarm is being set. */
static inline uint32_t counter_read(void)
{
    counter_crossed();
    RTC_READREQ = RTC_READREQ_COUNT;
    counter_crossed();
    return RTC_COUNT;
}

#endif
