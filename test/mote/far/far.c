/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Alarms about a wrap of an eight-bit counter ahead, or further: when the counter shows an alarm's
 * value, that may be a wrap too early, and when a wrap is over, it may be that of the alarm.
 */
#include <lichen/event.h>
#include <lichen/interrupt.h>
#include <lichen/thread.h>
#include <lichen/time.h>
#include <lichen/timer.h>

#include "compute.h"
#include "counter.h"
#include "late.h"
#include "test.h"
#include "timed_interrupt.h"

#define WRAP_TICKS (1u << COUNTER_BITS)

/* Keeps the processor from the sleep mode that stops the interrupt's counter. */
extern volatile uint32_t rounds;
volatile uint32_t rounds;
THREAD(keeps_awake, SMALL_STACK, PRIORITY_LOW)
{
    for (;;) {
        rounds++;
    }
}

static volatile unsigned fired;
static volatile uint8_t fired_count;
static volatile uint64_t fired_at;

EVENT(fires)
{
    fired_count = (uint8_t)counter_read();
    fired++;
    fired_at = time_now_us();
}
TIMER(timer, fires);

/* A microsecond in the last tick before `ticks` have passed, so that the tick after it is due. */
static uint64_t us_after(uint64_t start, uint32_t ticks)
{
    return start + (uint64_t)ticks * TIME_PARTS_PER_TICK / TIME_PARTS_PER_US;
}

static void arm(uint64_t due)
{
    fired = 0;
    expect_equal(timer_arm(&timer, due), 0);
}

static void await_fired(void)
{
    while (fired == 0) {
    }
    expect_equal(fired, 1);
}

static void expect_fired_in_time(uint64_t due)
{
    await_fired();
    expect(fired_at >= due);
    expect(fired_at <= due + LATE_US + READING_US);
}

TEST(an_alarm_about_a_wrap_ahead_comes_at_its_tick)
{
    for (uint32_t wraps = 1; wraps <= 2; wraps++) {
        for (uint32_t ticks = wraps * WRAP_TICKS - 8; ticks < wraps * WRAP_TICKS + 4; ticks++) {
            uint64_t due = us_after(time_now_us(), ticks);
            arm(due);
            expect_fired_in_time(due);
        }
    }
}

static void await_count(uint8_t count)
{
    while (counter_read() != count) {
    }
}

#define BEFORE_WRAP_TICKS 8u

static void go_before_wrap(void)
{
    while (counter_read() >= WRAP_TICKS - BEFORE_WRAP_TICKS) {
    }
    counter_set(WRAP_TICKS - BEFORE_WRAP_TICKS);
}

/* The wrap in which the alarm is due begins while it is being set. */
enum {
    BEFORE_WRAP_CYCLES = 2400,
    STEP_CYCLES = 23,
    DUE_IN_WRAP = 250,
};

TEST(an_alarm_whose_wrap_begins_while_it_is_set_comes_at_its_tick)
{
    for (uint16_t cycles = 0; cycles < BEFORE_WRAP_CYCLES; cycles += STEP_CYCLES) {
        go_before_wrap();
        uint64_t now = time_now_us();
        uint64_t due = us_after(now, BEFORE_WRAP_TICKS + DUE_IN_WRAP);
        await_count(WRAP_TICKS - 1);
        compute_cycles(TICK_CYCLES - BEFORE_WRAP_CYCLES + cycles);
        arm(due);
        await_fired();
        uint8_t late = (uint8_t)(fired_count - DUE_IN_WRAP);
        expect(late <= ALARM_TICKS);
    }
}

/* ---------------------------------------------------------------- held up */
static uint32_t to_compute_ms;
static volatile uint64_t free_at;

EVENT(computes)
{
    compute_cycles(to_compute_ms * MS_CYCLES);
    free_at = time_now_us();
}

TEST(an_alarm_whose_wrap_is_over_comes_when_the_kernel_level_is_free)
{
    for (to_compute_ms = 500; to_compute_ms < 1050; to_compute_ms += 47) {
        arm(time_now_us() + 400000);
        event_post(&computes);
        expect_fired_in_time(free_at);
    }
}

/* Two handlers of the drivers' level, one right after the other, that end after the alarm's tick
 * and after a wrap. */
enum {
    HANDLER_MS = 200,
    SETTING_CYCLES = 2600,
    SETTING_STEP = 41,
};
#define HELD_US (2 * HANDLER_MS * TIME_US_PER_MS)
static volatile unsigned handlers;

TIMED_INTERRUPT()
{
    if (handlers == 0) {
        counter_reports_wraps(true);
        return;
    }
    compute_cycles(HANDLER_MS * MS_CYCLES);
    if (--handlers != 0) {
        timed_interrupt_in(1);
    }
}

static void hold_while_setting(uint32_t ticks)
{
    for (uint16_t cycles = 1; cycles < SETTING_CYCLES; cycles += SETTING_STEP) {
        uint64_t start = time_now_us();
        handlers = 2;
        timed_interrupt_in(cycles);
        arm(us_after(start, ticks));
        await_fired();
        expect(fired_at >= us_after(start, ticks));
        expect(fired_at <= start + TIME_US_PER_MS + HELD_US + LATE_US + READING_US);
    }
}

TEST(an_alarm_that_passes_with_a_wrap_while_it_is_set_is_not_a_wrap_late)
{
    timed_interrupt_enable();
    hold_while_setting(200);
}

/* ---------------------------------------------------------------- not read for long */
enum {
    UNREAD_MS = 550,
    LENGTH_TICKS = 40,
};

/* The flag of a wrap may come a tick late. Here its interrupt does. */
TEST(a_length_that_begins_with_a_wrap_is_not_a_wrap_short)
{
    for (uint16_t cycles = 1; cycles < TICK_CYCLES; cycles += TICK_CYCLES / 16) {
        fired = 0;
        compute_cycles(UNREAD_MS * MS_CYCLES);
        await_count(WRAP_TICKS - 2);
        counter_reports_wraps(false);
        await_count(0);
        timed_interrupt_in(cycles);
        expect_equal(timer_arm_after(&timer, us_after(0, LENGTH_TICKS)), 0);
        await_fired();
        expect((uint8_t)(fired_count - LENGTH_TICKS) <= ALARM_TICKS + 2);
    }
}
