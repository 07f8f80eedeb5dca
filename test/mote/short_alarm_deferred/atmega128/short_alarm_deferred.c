/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The counter's interrupt comes when a call has just begun, and is deferred. Then the exit of
 * another interrupt calls its handler, while the call changes the list of alarms.
 */
#include <avr/io.h>

#include <lichen/alarm.h>
#include <lichen/event.h>
#include <lichen/interrupt.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "compute.h"
#include "test.h"

static volatile unsigned fired;

EVENT(fires)
{
    fired++;
}
EVENT(fires_too)
{
    fired++;
}
static ALARM(first, fires);
static ALARM(second, fires_too);

/* Timer 3 counts eight cycles at a time, to one interrupt. */
INTERRUPT(TIMER3_COMPB)
{
    TCCR3B = 0;
}

static void interrupts_begin(void)
{
    ETIMSK |= 1 << OCIE3B;
}

static void interrupt_in(uint16_t counts)
{
    TCCR3B = 0;
    TCNT3 = 0;
    OCR3B = counts;
    ETIFR = 1 << OCF3B;
    TCCR3B = 1 << CS31;
}

enum {
    FIRST_US = 200,
    SECOND_US = 400,
    CYCLES_LEAST = 240,
    CYCLES_MOST = 540,
    CYCLES_STEP = 6,
    COUNTS_LEAST = 8,
    COUNTS_MOST = 70,
};

static void go_to_call(uint16_t cycles, uint16_t counts)
{
    fired = 0;
    expect_equal(alarm_set(&first, FIRST_US), 0);
    compute_cycles(cycles);
    interrupt_in(counts);
}

/* Each alarm that was not cancelled has fired. */
static void expect_fired(unsigned count)
{
    sleep_ms(2);
    expect_equal(fired, count);
    expect(!first.is_set && !second.is_set);
}

TEST(another_alarm_is_set_meanwhile)
{
    interrupts_begin();
    for (uint16_t cycles = CYCLES_LEAST; cycles < CYCLES_MOST; cycles += CYCLES_STEP) {
        for (uint16_t counts = COUNTS_LEAST; counts < COUNTS_MOST; counts++) {
            go_to_call(cycles, counts);
            expect_equal(alarm_set(&second, SECOND_US), 0);
            expect_fired(2);
        }
    }
}

TEST(an_alarm_is_cancelled_meanwhile)
{
    interrupts_begin();
    for (uint16_t cycles = CYCLES_LEAST; cycles < CYCLES_MOST; cycles += CYCLES_STEP) {
        for (uint16_t counts = COUNTS_LEAST; counts < COUNTS_MOST; counts++) {
            go_to_call(cycles, counts);
            unsigned left = alarm_cancel(&first) == 0 ? 0 : 1;
            expect_fired(left);
        }
    }
}
