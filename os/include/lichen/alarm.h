/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Alarms in microseconds, for drivers and short delays.
 *
 *     EVENT(settled) { ... }
 *     ALARM(settling, settled);
 *     ... int error = alarm_set(&settling, 250);
 *
 * A timer (lichen/timer.h) counts the tick, which runs in every sleep mode, in steps of 30.5 us on
 * the SAM R21 and of 977 us on the ATmega128. An alarm counts the clock of the peripherals, in
 * steps of a microsecond, for 30 ms at most. While one is set, the counter must run, so the mote
 * sleeps lightly (SAM R21: IDLE2; ATmega128: idle). Use a timer for what may be some
 * ticks late.
 *
 * From the call to the event's first line it takes the alarm's length and about 60 us more on the
 * SAM R21, 115 us on the ATmega128; about 100 and 200 us around sleep_exact_us(). An event that
 * sets its alarm again therefore drifts. Use a real-time task (lichen/rt.h) for a short period that
 * must not drift.
 *
 * The counter is TCC2 of the SAM R21, and timer 1 of the ATmega128, which is RT_TIMER_B: beside
 * alarms, of which sleep_exact_us() is one, a real-time task has RT_TIMER_A.
 */
#ifndef LICHEN_ALARM_H
#define LICHEN_ALARM_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/error.h>
#include <lichen/event.h>
#include <lichen/loaded.h>

/* The longest alarm, us. */
#define ALARM_MAX_US 30000u

/* An alarm's interrupt comes at most this much later than asked for, us, plus the time for which
 * other handlers, or code with interrupts off, hold it up. If that is more than 30 ms, it may come
 * only when the counter has wrapped, up to 71 ms later. Then the event runs, like any that an
 * interrupt posts. */
#define ALARM_LATE_US 6u

/* Storage is the caller's; it belongs to the kernel from setting until the alarm has fired or is
 * cancelled. Written at the kernel level, and by the counter's interrupt. */
struct alarm {
    struct alarm *next;   /* the next later one */
    struct event *event;  /* what it posts; constant */
    uint16_t due;         /* a count */
    volatile bool is_set; /* it is in the list */
};

/* Declares an alarm that posts an event when it fires. */
#define ALARM(name, event_)                                                                        \
    struct alarm name OBJECT_PLACED(alarm, name) = {.event = &(event_)};                           \
    NOT_LOADED(ALARM, name)

/* Sets an alarm to fire once. Never early.
 * us        microseconds from now, at most ALARM_MAX_US
 * returns   0, ERR_BUSY if it is set, ERR_INVALID if it is too long
 * context   event, thread, coop
 * blocks    no       cost  O(n) alarms that are set
 * owns      the alarm belongs to the kernel until it fires or is cancelled
 */
MUST_CHECK int alarm_set(struct alarm *alarm, uint32_t us);

/* Cancels an alarm that is set. Its event may already be pending, and then it still runs.
 * returns   0, or ERR_EMPTY if it was not set
 * context   event, thread, coop
 * blocks    no       cost  O(n) alarms that are set
 */
int alarm_cancel(struct alarm *alarm);

/* Waits at least this long while other threads run, and hardly longer, whereas sleep_us() may be
 * late by ticks.
 * us        at most ALARM_MAX_US; more asserts
 * context   thread
 * blocks    yes      cost  those of alarm_set, and of a call that blocks
 */
void sleep_exact_us(uint32_t us);

#endif
