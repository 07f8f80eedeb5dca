/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Advances to where 32 bits of ticks wrap, which takes a mote 36 hours: the counter of the SAM R21
 * is set forward in steps that the kernel can follow, with an alarm after each. The same names for
 * every chip.
 */
#ifndef TEST_FORCE_FRAME_WRAP_H
#define TEST_FORCE_FRAME_WRAP_H

#include <stdint.h>

#include <lichen/time.h>

#define RTC_STATUS          (*(volatile uint8_t *)0x4000140au)
#define RTC_STATUS_SYNCBUSY 0x80u
#define RTC_COUNT           (*(volatile uint32_t *)0x40001410u)

/* While no alarm is set, the kernel accepts any count less than a wrap after the last one; its
 * alarms are at most a quarter of a wrap ahead. */
#define WRAP_PIECES     4u
#define WRAP_PIECE      (UINT32_C(1) << 30)
#define WRAP_PAUSE_US   200u
#define WRAP_LEFT_TICKS 12u

/* Sets the counter while it is not being read and no alarm is set: directly after a sleep.
 */
static inline void force_ticks_set(uint32_t ticks)
{
    while (RTC_STATUS & RTC_STATUS_SYNCBUSY) {
    }
    RTC_COUNT = ticks;
    while (RTC_STATUS & RTC_STATUS_SYNCBUSY) {
    }
}

/* What force_ticks returns; it wraps. And by how much it may be too late. */
typedef uint32_t force_ticks_t;
#define FORCE_TICKS_LATE 0u

/* Reads the counter, whatever the kernel is doing with it: the bus stalls while the value crosses,
 * up to 180 us, and with it every interrupt. No instruction polls for it.
 */
static inline force_ticks_t force_ticks(void)
{
    return RTC_COUNT;
}

/* 40 s after the wrap, ticks that are 0 because they were never set would lie in the future, in 16
 * bits of milliseconds. */
#define AFTER_WRAP_TICKS (40u * 32768u)
#define WRAP_US          1000u

/* At the program's start, in the conductor. */
static inline void force_start_wrap(void)
{
}

/* Lets time pass until 32 bits of ticks have wrapped, and then 40 s; the time is not read. What is
 * read next exceeds 32 bits of ticks, for the first time. Called once per run, before it begins,
 * while nothing else waits for time.
 * context   thread
 */
static inline void force_pass_wrap(void)
{
    for (uint32_t piece = 1; piece <= WRAP_PIECES; piece++) {
        sleep_us(WRAP_PAUSE_US);
        force_ticks_set(piece * WRAP_PIECE - WRAP_LEFT_TICKS);
    }
    sleep_us(WRAP_US);
    force_ticks_set(AFTER_WRAP_TICKS);
}

#endif
