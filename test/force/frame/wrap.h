/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* To where 32 bits of ticks begin again, which takes a mote 36 hours: the counter of the SAM R21 is
 * set ahead by pieces that the kernel allows for, an alarm after each.
 */
#ifndef TEST_FORCE_FRAME_WRAP_H
#define TEST_FORCE_FRAME_WRAP_H

#include <stdint.h>

#include <lichen/time.h>

#define RTC_STATUS          (*(volatile uint8_t *)0x4000140au)
#define RTC_STATUS_SYNCBUSY 0x80u
#define RTC_COUNT           (*(volatile uint32_t *)0x40001410u)

/* While no alarm is set the kernel takes any count that is less than a wrap after the last one; its
 * alarms reach a quarter of a wrap. */
#define WRAP_PIECES     4u
#define WRAP_PIECE      (UINT32_C(1) << 30)
#define WRAP_PAUSE_US   200u
#define WRAP_LEFT_TICKS 12u

/* Sets the counter, while it is not read and no alarm is set: after a sleep, before what follows.
 */
static inline void force_ticks_set(uint32_t ticks)
{
    while (RTC_STATUS & RTC_STATUS_SYNCBUSY) {
    }
    RTC_COUNT = ticks;
    while (RTC_STATUS & RTC_STATUS_SYNCBUSY) {
    }
}

/* The counter, whatever the kernel is doing with it: the bus stands still while the value crosses,
 * up to 180 us, and with it every interrupt. No instruction polls for it.
 */
static inline uint32_t force_ticks(void)
{
    return RTC_COUNT;
}

/* Lets the time pass until WRAP_LEFT_TICKS before the wrap. Once in a run, before its begin, while
 * nobody else waits for time.
 * context   thread
 */
static inline void force_approach_wrap(void)
{
    for (uint32_t piece = 1; piece <= WRAP_PIECES; piece++) {
        sleep_us(WRAP_PAUSE_US);
        force_ticks_set(piece * WRAP_PIECE - WRAP_LEFT_TICKS);
    }
}

#endif
