/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Alarms in microseconds, and a handler that keeps the processor from them for long. */
#include <lichen/alarm.h>
#include <lichen/event.h>
#include <lichen/rt.h>
#include <lichen/thread.h>

#include "compute.h"
#include "test.h"

static volatile unsigned fired;
static volatile uint8_t order[2];

static void note(uint8_t which)
{
    if (fired < 2) {
        order[fired] = which;
    }
    fired++;
}

EVENT(first_fires)
{
    note(1);
}
EVENT(second_fires)
{
    note(2);
}
static ALARM(first, first_fires);
static ALARM(second, second_fires);

#define PERIOD_US 2000u
enum { HELD_MS = 25 };
static volatile bool holds;

RT_TASK(hold, RT_TIMER_A, .priority = 0, .period_us = PERIOD_US, .deadline_us = PERIOD_US,
        .wcet_cycles = 1000)
{
    rt_acknowledge();
    if (holds) {
        holds = false;
        compute_cycles(HELD_MS * MS_CYCLES);
    }
}

static void await_fired(unsigned count)
{
    while (fired < count) {
    }
    sleep_ms(1);
    expect_equal(fired, count);
}

/* The task comes before each instruction of the second call, and some time before. */
enum {
    BETWEEN_CYCLES = 3000,
    BETWEEN_STEP = 3,
    FIRST_US = 600,
};

TEST(an_alarm_that_passes_while_another_is_set_fires_first)
{
    for (uint16_t cycles = 0; cycles < BETWEEN_CYCLES; cycles += BETWEEN_STEP) {
        fired = 0;
        holds = true;
        rt_period_start(hold);
        compute_cycles(PERIOD_US * MS_CYCLES / 1000 - cycles);
        expect_equal(alarm_set(&first, FIRST_US), 0);
        expect_equal(alarm_set(&second, ALARM_MAX_US), 0);
        await_fired(2);
        rt_period_stop(hold);
        expect(!holds);
        expect(order[0] == 1 && order[1] == 2);
    }
}
