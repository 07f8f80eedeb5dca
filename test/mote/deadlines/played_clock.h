/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The chip's tick and alarm, simulated by the test: an implementation of os/chip/chip.h.
 *
 * Time advances when the test says so, by any number of ticks, and the kernel learns of it as late
 * as the contract allows. So the kernel's handling of each tick can be checked exactly, and years
 * take no longer than microseconds. The chip's own clock is not part of such a program.
 */
#ifndef TEST_MOTE_DEADLINES_PLAYED_CLOCK_H
#define TEST_MOTE_DEADLINES_PLAYED_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#define PLAYED_NO_ALARM UINT64_MAX

/* Written by the functions below and by the kernel's calls. */
struct played_clock {
    uint64_t now;                /* what a reading of the clock returns; the test may set it */
    uint32_t age;                /* what chip_ticks_await adds; the test may set it */
    uint64_t alarm;              /* the tick that the kernel has set, and that has not been reported
                                  */
    unsigned alarms;             /* how often the kernel has set one */
    bool awaits;                 /* the kernel awaits a reading */
    volatile uint8_t looks_left; /* how many times a reading will seem to be under way */
    bool taken_early;            /* a reading that seemed to be under way was taken */
};
extern struct played_clock played;

/* Advances time to a tick, and reports the kernel's alarms. The last one is reported as reached
 * when it was; the earlier ones may be reported with any tick up to then.
 * context   thread
 */
void played_to(uint64_t tick);

/* Reports the alarm that is set, if there is one, and that `reached` has been reached.
 * reached   the alarm's tick, or a later one
 * context   thread
 */
void played_alarm(uint64_t reached);

/* Gives the kernel the reading that it awaits, if any.
 * context   thread
 */
void played_reading(uint64_t read);

#endif
