/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* One clock for programs: microseconds since start-up, 64 bits.
 *
 * It is based on the chip's tick, CHIP_TICK_HZ per second, so values step by 30.5 us on the SAM R21
 * and by 977 us on the ATmega128. There is no periodic tick: one alarm is set for the earliest
 * deadline, and with no deadline the processor sleeps undisturbed. For short delays that must be
 * finer, use alarms (lichen/alarm.h).
 */
#ifndef LICHEN_TIME_H
#define LICHEN_TIME_H

#include <stdint.h>

#include <lichen/chip.h>

/* 64 bits wide, so that products are: 2 * 3600 * TIME_US_PER_S is two hours, as a constant or as a
 * variable, for each sleep and timer. Where a length has 32 bits, as that of an alarm, up to 71
 * minutes, a longer constant does not compile. */
#define TIME_US_PER_MS UINT64_C(1000)
#define TIME_US_PER_S  UINT64_C(1000000)

/* The deadlines of sleeps, of timers and of calls whose names end in `_until` are never early, not
 * even by a tick. They are late by at most this many ticks (SAM R21: 1.2 ms; ATmega128: 3.9 ms, and
 * 2.2 ms more after power-save, in which its crystal starts), plus the time for which interrupts,
 * events and more urgent threads keep the processor from the waiting thread, however long. A
 * relative time counts from the moment its call reaches the kernel. If that is within the 0.2 ms in
 * which an alarm is being set, and an interrupt handler runs in the same 0.2 ms, the time of this
 * handler is added.
 */
#define TIME_LATE_TICKS CHIP_LATE_TICKS

/* No deadline: wait for ever. */
#define TIME_NEVER UINT64_MAX

/* The clock. Never goes backwards. On the ATmega128 it loses 250 ms if a handler, or code with
 * interrupts off, takes longer than that.
 * returns   microseconds since start-up
 * context   event, thread, coop
 * blocks    no       cost  up to 270 us on the SAM R21 at 8 MHz, 500 right after a deadline was
 *           set, 290 and 620 with a calibrated tick; 180 more at a wrap of its counter, every 36.4
 *           hours; 4 % more with the slowest oscillators [test mote/readings]; and what alarms and
 *           events take that come in between. On the ATmega128 up to 61 us, and 2 ms just after
 *           its counter has wrapped, each 250 ms: it reads the slow clock. A thread lets others
 *           run meanwhile; an event should avoid this call if it can
 */
uint64_t time_now_us(void);

/* A moment of the clock in two parts, which are cheaper to print than 64 bits. */
struct time_moment {
    uint32_t s;  /* whole seconds since start-up */
    uint32_t us; /* microseconds of the second, below 1,000,000 */
};

/* The latest time that is known to have been reached, without waiting for the slow clock: that of
 * the last alarm, of the last reading of the clock, or of the reading that an earlier call
 * requested. Never later than the present, and never before an earlier result. Right after an alarm
 * it is exact to a tick. Otherwise it is as old as the last of these on the SAM R21; on the
 * ATmega128 it is exact to a tick, except in the first 61 us after a wake-up and 2 ms of each 250.
 * context   event, thread, coop
 * blocks    no       cost  345 cycles, 434 on AVR [bench console/syslog]; no waiting
 */
void time_known(struct time_moment *moment);

/* Notes the present time, to a 64th of a second, without waiting for the slow clock: for what is
 * told apart later by its age.
 * context   event
 * blocks    no       cost  150 cycles, and a short interrupt in the 190 us after it, without deep
 *           sleep; on the ATmega128 that of time_now_us
 */
void time_note(void);

/* The time will be noted within the same wake-up: on the ATmega128 the counter, which must be
 * synchronized, is ready then.
 * context   event
 * blocks    no
 */
void time_note_soon(void);

/* The time that was noted last. If that was just now, it waits, as time_now_us does.
 * returns   in units of a 64th of a second, modulo 2^32: it wraps after two years
 * context   event
 * blocks    no
 */
#define TIME_NOTED_HZ 64u
uint32_t time_noted(void);

/* A tick is TIME_PARTS_PER_TICK / TIME_PARTS_PER_US microseconds, on every chip. */
#define TIME_PARTS_PER_TICK 15625u
#define TIME_PARTS_PER_US   (CHIP_TICK_HZ / 64u)

/* The ticks of a length, rounded up; for compile-time constants. */
#define TIME_CONSTANT_MAX_US (UINT64_MAX >> 10)
#define TIME_TICKS_OF_US(us)                                                                       \
    ((UINT64_C(1) * TIME_PARTS_PER_US * (us) + TIME_PARTS_PER_TICK - 1) / TIME_PARTS_PER_TICK)

/* Waits at least this many ticks. Sleeping for a constant length calls this, so a program that
 * sleeps only for constants needs no code that converts them.
 * ticks     CHIP_TICK_HZ a second, less than 2^63
 * context   thread
 * blocks    yes
 */
void sleep_ticks(uint64_t ticks);

/* Sleeping for other lengths calls this, if they have 32 bits.
 * context   thread
 * blocks    yes
 */
void sleep_converted_us(uint32_t us);

/* The same in milliseconds.
 * context   thread
 * blocks    yes
 */
void sleep_converted_ms(uint32_t ms);

/* The same for lengths of 64 bits. More than 1,141 years are for ever.
 * context   thread
 * blocks    yes
 */
void sleep_long_us(uint64_t us);

/* The same in milliseconds.
 * context   thread
 * blocks    yes
 */
void sleep_long_ms(uint64_t ms);

/* Whether the compiler knows that a length has no more than 32 bits: what was converted to 64 bits
 * has none above. */
#define TIME_HAS_32_BITS(length) (__builtin_constant_p((length) >> 32) && (length) >> 32 == 0)

/* Waits at least this long.
 * context   thread
 * blocks    yes
 */
static inline __attribute__((always_inline)) void sleep_us(uint64_t us)
{
    if (__builtin_constant_p(us) && us <= TIME_CONSTANT_MAX_US) {
        sleep_ticks(TIME_TICKS_OF_US(us));
    } else if (TIME_HAS_32_BITS(us)) {
        sleep_converted_us((uint32_t)us);
    } else {
        sleep_long_us(us);
    }
}

/* The same in milliseconds.
 * context   thread
 * blocks    yes
 */
static inline __attribute__((always_inline)) void sleep_ms(uint64_t ms)
{
    if (__builtin_constant_p(ms) && ms <= TIME_CONSTANT_MAX_US / 1000) {
        sleep_ticks(TIME_TICKS_OF_US(1000 * ms));
    } else if (TIME_HAS_32_BITS(ms)) {
        sleep_converted_ms((uint32_t)ms);
    } else {
        sleep_long_ms(ms);
    }
}

/* Waits until a given time; returns at once if it has passed. A loop that adds its period to the
 * deadline does not drift.
 * deadline  microseconds of the system clock
 * context   thread
 * blocks    yes
 */
void sleep_until_us(uint64_t deadline);

#endif
