/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Alarms that are being set when an interrupt delays the kernel level for longer than the time left
 * until the alarm: the alarm comes late by that delay, and is not lost. The interrupt is swept over
 * the time that setting takes.
 */
#include <lichen/interrupt.h>
#include <lichen/thread.h>
#include <lichen/time.h>
#include <lichen/timer.h>

#include "compute.h"
#include "late.h"
#include "test.h"
#include "timed_interrupt.h"

enum {
    HELD_US = 750 + 2 * TICK_US,
    SWEEP_CYCLES = 6000,
    STEP_CYCLES = 13,
};

/* Keeps the processor from the sleep mode that stops the interrupt's counter. */
static volatile uint32_t rounds;
THREAD(computes, SMALL_STACK, PRIORITY_LOW)
{
    for (;;) {
        rounds++;
    }
}

TIMED_INTERRUPT()
{
    compute_us(HELD_US);
}

static void sweep(uint32_t us)
{
    for (uint16_t cycles = 1; cycles < SWEEP_CYCLES; cycles += STEP_CYCLES) {
        uint64_t start = time_now_us();
        timed_interrupt_in(cycles);
        sleep_us(us);
        uint64_t slept = time_now_us() - start;
        expect(slept >= us);
        expect(slept <= us + HELD_US + LATE_US + READING_US);
    }
}

TEST(an_alarm_that_passes_while_it_is_set_comes_late)
{
    timed_interrupt_enable();
    sweep(700);
}

/* Set without reading the clock first. */
TEST(an_alarm_that_seemed_far_enough_ahead_comes_late)
{
    sweep(2300);
}
