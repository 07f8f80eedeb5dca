/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Simulator benchmark: a kernel that switches threads when interrupts arrive.
 *
 * Each interrupt wakes a more urgent thread, which wakes a third one by a semaphore; the computing
 * thread gets the rest. Exceptions, system calls and switches, some 30,000 a second at 48 MHz: what
 * an operating system does when it is busy. Never ends; the length of the run is given in time. */

#include <lichen/init.h>
#include <lichen/interrupt.h>
#include <lichen/notify.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>

#include "chip/chip.h"
#include "fastest.h"
#include "signal.h"

/* Processor cycles from one interrupt to the next. */
#define PERIOD_CYCLES 1601

/* Completed rounds, for an observer. */
volatile uint32_t rounds;

NOTIFY(signalled);
SEMAPHORE(handed_on, 0);

static void speed_up(void)
{
    chip_clock_set(FASTEST);
}
INIT(speed_up);

SIGNAL_HANDLER
{
    signal_clear();
    notify_post_from(&signalled, LEVEL_DRIVER);
}

THREAD(urgent, 256, PRIORITY_HIGH)
{
    signal_start(PERIOD_CYCLES);
    for (;;) {
        notify_wait(&signalled);
        (void)semaphore_post(&handed_on);
    }
}

THREAD(follows, 256, PRIORITY_APP + 1)
{
    for (;;) {
        semaphore_wait(&handed_on);
        rounds++;
    }
}

THREAD(computes, 256, PRIORITY_APP)
{
    volatile uint32_t work = 1;

    for (;;) {
        work = work * 1664525u + 1013904223u;
    }
}
