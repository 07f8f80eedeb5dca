/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The chip's tick and alarm, played by the test: the other side of os/chip/chip.h.
 *
 * Time passes when the test says so, by any number of ticks, and the kernel hears of it as late as
 * the contract allows. So what the kernel makes of a tick can be told exactly, and years take no
 * longer than microseconds. The chip's own clock is not in such a program.
 */
#ifndef TEST_MOTE_DEADLINES_PLAYED_CLOCK_H
#define TEST_MOTE_DEADLINES_PLAYED_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#define PLAYED_NO_ALARM UINT64_MAX

/* Written by the functions below and by the kernel's calls. */
struct played_clock {
    uint64_t now;                /* what a look at the clock gives; the test may set it */
    uint32_t age;                /* what chip_ticks_await says; the test may set it */
    uint64_t alarm;              /* what the kernel has set, and has not been told of */
    unsigned alarms;             /* how often it has set one */
    bool awaits;                 /* the kernel awaits a reading */
    volatile uint8_t looks_left; /* so often does a reading seem to be under way */
    bool taken_early;            /* a reading was taken that seemed to be */
};
extern struct played_clock played;

/* Time goes on to a tick, and the kernel is told of its alarms: when the last one was reached, they
 * have been for any time up to then.
 * context   thread
 */
void played_to(uint64_t tick);

/* The kernel is told of the alarm that is set, if there is one, and that `reached` has been.
 * reached   the alarm's tick, or a later one
 * context   thread
 */
void played_alarm(uint64_t reached);

/* The kernel is given the reading that it awaits, if it does.
 * context   thread
 */
void played_reading(uint64_t read);

#endif
