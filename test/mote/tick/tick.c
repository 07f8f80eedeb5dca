/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The tick and its alarm in difficult cases: near wraps of the counter, with interrupts between any
 * two instructions, and with alarms that are set faster than the chip can accept them.
 *
 * Before each try the counter is set to some ticks before its wrap, so hours pass in a moment.
 */
#include <lichen/event.h>
#include <lichen/interrupt.h>
#include <lichen/thread.h>
#include <lichen/time.h>
#include <lichen/timer.h>

#include "counter.h"
#include "late.h"
#include "test.h"
#include "timed_interrupt.h"

#define WRAP_TICKS (UINT64_C(1) << 32)

/* The microsecond whose deadline is a tick. */
static uint64_t us_of(uint64_t tick)
{
    return tick * 15625 >> 9;
}

/* The tick of the counter's latest wrap. */
static uint64_t wrap;

/* Sets the counter to a number of ticks before its next wrap. */
static void go_before_wrap(uint32_t ticks)
{
    wrap += WRAP_TICKS;
    counter_set((uint32_t)(wrap - ticks));
}

static void wait_until_wrapped(void)
{
    while ((int32_t)counter_read() < 0) {
    }
}

/* Keeps the processor from the sleep mode that stops the interrupt's counter. */
static volatile uint32_t rounds;
THREAD(keeps_awake, 256, PRIORITY_LOW)
{
    for (;;) {
        rounds++;
    }
}

static void wait_cycles(uint32_t cycles)
{
    uint32_t turns = cycles / 3 + 1;
    __asm__ volatile("1: sub %0, #1\n\tbne 1b" : "+l"(turns) : : "cc");
}

/* ---------------------------------------------------------------- how late */
#define HALF_WRAP 0x10000u

static volatile unsigned fired;
static volatile uint32_t fired_count;

EVENT(fires)
{
    fired++;
    fired_count = counter_read() - COUNTER_READING;
}
TIMER(timer, fires);

static void expect_fired(uint64_t due, uint64_t armed)
{
    int32_t late = (int32_t)(fired_count - (uint32_t)due);
    int32_t held = due < armed ? (int32_t)(armed - due) : 0;
    expect_equal(fired, 1);
    expect(late >= 0);
    expect(late <= held + (int32_t)ALARM_TICKS);
}

/* Now is `armed`; the timer is armed some cycles later. */
static void fire_at(uint64_t due, uint64_t armed, uint32_t cycles)
{
    fired = 0;
    wait_cycles(cycles);
    expect_equal(timer_arm(&timer, us_of(due)), 0);
    while (fired == 0) {
    }
    expect_fired(due, armed);
}

/* Around a wrap of all bits, and around one of the lower half. */
TEST(no_alarm_near_a_wrap_is_early_or_late)
{
    for (uint32_t ahead = 1; ahead < 70; ahead += 3) {
        for (int32_t due = -30; due < 60; due++) {
            uint32_t cycles = (ahead * 67 + (uint32_t)due * 31) % 244;
            go_before_wrap(ahead);
            fire_at(wrap + (uint64_t)due, wrap - ahead, cycles);
            wait_until_wrapped();
            counter_set(HALF_WRAP - ahead);
            fire_at(wrap + HALF_WRAP + (uint64_t)due, wrap + HALF_WRAP - ahead, cycles);
        }
    }
}

/* ---------------------------------------------------------------- held up */
#define HELD_TICKS  40u
#define TICK_CYCLES 244u

INTERRUPT(TC3)
{
    timed_interrupt_clear();
    wait_cycles(HELD_TICKS * TICK_CYCLES);
}

/* Above the drivers' level, which is also the chip's. */
static void interrupt_at_level_0(void)
{
    TIMED_NVIC_IPR4 &= ~(0xffu << 16);
}

/* An interrupt handler that lasts from before the wrap until after it begins at each cycle of a
 * reading of the time. */
static void read_while_it_wraps(void)
{
    enum { BEFORE = 14, SWEEP_CYCLES = 700 };
    for (uint16_t cycles = 1; cycles < SWEEP_CYCLES; cycles++) {
        go_before_wrap(BEFORE);
        timed_interrupt_in(cycles);
        uint64_t now = time_now_us();
        expect(now >= us_of(wrap - BEFORE));
        expect(now <= us_of(wrap + 2 * HELD_TICKS));
        wait_until_wrapped();
    }
}

TEST(a_reading_that_is_held_up_while_the_counter_wraps_is_right)
{
    timed_interrupt_enable();
    read_while_it_wraps();
    interrupt_at_level_0();
    read_while_it_wraps();
}

/* The same for each cycle of setting an alarm for just after the wrap. */
TEST(an_alarm_that_is_held_up_while_the_counter_wraps_is_neither_early_nor_lost)
{
    enum { BEFORE = 26, DUE = 20, SWEEP_CYCLES = 5000, STEP = 3 };
    for (uint16_t cycles = 1; cycles < SWEEP_CYCLES; cycles += STEP) {
        fired = 0;
        go_before_wrap(BEFORE);
        timed_interrupt_in(cycles);
        expect_equal(timer_arm(&timer, us_of(wrap + DUE)), 0);
        while (fired == 0) {
        }
        expect_fired(wrap + DUE, wrap + HELD_TICKS);
        wait_until_wrapped();
    }
}

/* The time is read in the cycles around the alarm's match. */
TEST(an_alarm_that_comes_while_somebody_asks_for_the_time_is_not_lost)
{
    enum { AHEAD = 60, SWEEP_CYCLES = 3000, STEP = 5 };
    for (uint32_t cycles = 0; cycles < SWEEP_CYCLES; cycles += STEP) {
        fired = 0;
        uint64_t due = wrap + counter_read() + AHEAD;
        expect_equal(timer_arm(&timer, us_of(due)), 0);
        wait_cycles((AHEAD - 12) * TICK_CYCLES + cycles);
        (void)time_now_us();
        wait_cycles(2 * ALARM_TICKS * TICK_CYCLES);
        expect_fired(due, 0);
    }
}

/* ---------------------------------------------------------------- again and again */
static volatile uint64_t victim_fired_at;
EVENT(victim_fires)
{
    victim_fired_at = time_now_us();
}
TIMER(victim, victim_fires);

EVENT(other_fires)
{
}
TIMER(other, other_fires);

#define VICTIM_US 20000u

static void expect_victim_after(uint64_t start)
{
    expect(victim_fired_at >= start + VICTIM_US);
    expect(victim_fired_at <= start + VICTIM_US + LATE_US + READING_US);
}

/* Each alarm is earlier than the one before: from after the victim's to before it. A crossing lasts
 * 1,464 cycles. */
static void rearm_earlier(uint32_t pause_cycles)
{
    uint64_t start = time_now_us();
    uint64_t deadline = start + VICTIM_US;
    victim_fired_at = 0;
    expect_equal(timer_arm(&victim, deadline), 0);
    wait_cycles(VICTIM_US * 6); /* three quarters of it */
    while (victim_fired_at == 0) {
        deadline -= 31;
        (void)timer_cancel(&other);
        expect_equal(timer_arm(&other, deadline), 0);
        wait_cycles(pause_cycles);
    }
    (void)timer_cancel(&other);
    expect_victim_after(start);
}

TEST(who_sets_earlier_alarms_again_and_again_keeps_none_from_coming)
{
    for (uint32_t cycles = 3; cycles < 1600; cycles += 93) {
        rearm_earlier(cycles);
    }
}

static void rearm_for_the_past(uint32_t pause_cycles)
{
    uint64_t start = time_now_us();
    victim_fired_at = 0;
    expect_equal(timer_arm(&victim, start + VICTIM_US), 0);
    while (victim_fired_at == 0) {
        (void)timer_cancel(&other);
        expect_equal(timer_arm(&other, 0), 0);
        wait_cycles(pause_cycles);
    }
    (void)timer_cancel(&other);
    expect_victim_after(start);
}

TEST(who_sets_alarms_for_the_past_again_and_again_keeps_none_from_coming)
{
    for (uint32_t cycles = 3; cycles < 1600; cycles += 93) {
        rearm_for_the_past(cycles);
    }
}

/* ---------------------------------------------------------------- lengths that share a reading */
static volatile uint32_t rounds_at_first, rounds_at_second;
EVENT(first_over)
{
    rounds_at_first = rounds;
}
TIMER(first, first_over);

EVENT(second_over)
{
    rounds_at_second = rounds;
}
TIMER(second, second_over);

EVENT(arms_both)
{
    expect_equal(timer_arm_after(&first, 10000), 0);
    expect_equal(timer_arm_after(&second, 10000), 0);
}

/* The reading that the first one requested may be of any moment from then on, and the second one
 * counts from its own call. So the second is longer by what a reading may take, and threads run
 * meanwhile. */
TEST(who_joins_a_reading_under_way_allows_for_its_age)
{
    event_post(&arms_both);
    sleep_ms(20);
    expect(rounds_at_second != rounds_at_first);
}
