/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The tick and its alarm in difficult cases: near wraps of the counter, with interrupts between any
 * two instructions, and with alarms that are set faster than the chip can accept them.
 *
 * Before each try the counter is set to some ticks before its wrap, so hours pass in a moment. The
 * ranges are the chip's: tick_of_chip.h.
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
#include "tick_of_chip.h"
#include "timed_interrupt.h"

#define WRAP_TICKS (UINT64_C(1) << COUNTER_BITS)

/* The microsecond whose deadline is a tick. */
static uint64_t us_of(uint64_t tick)
{
    return tick * TIME_PARTS_PER_TICK / TIME_PARTS_PER_US;
}

static uint64_t tick_now(void)
{
    return TIME_TICKS_OF_US(time_now_us());
}

/* The tick of the counter's next wrap, or of its latest one. */
static uint64_t wrap;

/* Sets the counter to a number of ticks before its next wrap. */
static void go_before_wrap(uint32_t ticks)
{
    wrap = (tick_now() / WRAP_TICKS + 1) * WRAP_TICKS;
    counter_set((uint32_t)(wrap - ticks));
}

static void wait_until_wrapped(void)
{
    while (counter_read() >> (COUNTER_BITS - 1) != 0) {
    }
}

/* Keeps the processor from the sleep mode that stops the interrupt's counter. */
extern volatile uint32_t rounds;
volatile uint32_t rounds;
THREAD(keeps_awake, SMALL_STACK, PRIORITY_LOW)
{
    for (;;) {
        rounds++;
    }
}

/* ---------------------------------------------------------------- how late */
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
    const unsigned unused = 32 - COUNTER_BITS;
    int32_t late = (int32_t)((fired_count - (uint32_t)due) << unused) >> unused;
    int32_t held = due < armed ? (int32_t)(armed - due) : 0;
    expect_equal(fired, 1);
    expect(late >= 0);
    expect(late <= held + (int32_t)ALARM_TICKS);
}

/* Now is `armed`; the timer is armed some cycles later. */
static void fire_at(uint64_t due, uint64_t armed, uint32_t cycles)
{
    fired = 0;
    compute_cycles(cycles);
    expect_equal(timer_arm(&timer, us_of(due)), 0);
    while (fired == 0) {
    }
    expect_fired(due, armed);
}

/* Around a wrap of all bits, and around one of the lower half. */
TEST(no_alarm_near_a_wrap_is_early_or_late)
{
    for (uint32_t ahead = 1; ahead < AHEAD_MOST; ahead += AHEAD_STEP) {
        for (int32_t due = -DUE_BEFORE; due < DUE_AFTER; due++) {
            uint32_t phase = ahead * 67 + (uint32_t)(due + DUE_BEFORE) * 31;
            uint32_t cycles = phase % 244 * TICK_CYCLES / 244;
            go_before_wrap(ahead);
            fire_at(wrap + (uint64_t)due, wrap - ahead, cycles);
            wait_until_wrapped();
            if (HALF_WRAP != 0) {
                counter_set(HALF_WRAP - ahead);
                fire_at(wrap + HALF_WRAP + (uint64_t)due, wrap + HALF_WRAP - ahead, cycles);
            }
        }
    }
}

/* Events set alarms for the ticks around a wrap, the last one when that for the wrap has just come.
 */
static volatile uint32_t arming_ticks;
EVENT(arms)
{
    uint32_t before = counter_read();
    expect_equal(timer_arm(&timer, us_of(wrap + ALARM_TICKS)), 0);
    arming_ticks = counter_read() - before;
}
TIMER(at_wrap, arms);

EVENT(comes_before_wrap)
{
    expect_equal(timer_arm(&at_wrap, us_of(wrap)), 0);
}
TIMER(before_wrap, comes_before_wrap);

TEST(an_alarm_is_set_without_waiting_where_the_counter_has_just_wrapped)
{
    fired = 0;
    go_before_wrap(AHEAD_MOST);
    expect_equal(timer_arm(&before_wrap, us_of(wrap - 1)), 0);
    while (fired == 0) {
    }
    expect(arming_ticks <= 3 * COUNTER_READING); /* the second one waits for the alarm, too */
    expect_fired(wrap + ALARM_TICKS, wrap);
}

/* ---------------------------------------------------------------- held up */
TIMED_INTERRUPT()
{
    compute_cycles(HELD_TICKS * TICK_CYCLES);
}

/* An interrupt handler that lasts from before the wrap until after it begins at each cycle of a
 * reading of the time. */
static void read_while_it_wraps(void)
{
    for (uint16_t cycles = 1; cycles < READING_CYCLES; cycles++) {
        go_before_wrap(READING_BEFORE);
        timed_interrupt_in(cycles);
        uint64_t now = time_now_us();
        expect(now >= us_of(wrap - READING_BEFORE));
        expect(now <= us_of(wrap + 2 * HELD_TICKS));
        wait_until_wrapped();
    }
}

TEST(a_reading_that_is_held_up_while_the_counter_wraps_is_right)
{
    timed_interrupt_enable();
    read_while_it_wraps();
    timed_interrupt_urgent();
    read_while_it_wraps();
}

/* The same where the clock has not been read since the wrap before. */
static void read_after_a_wrap(void)
{
    for (uint16_t cycles = 1; cycles < READING_CYCLES; cycles += 7) {
        go_before_wrap(2);
        wait_until_wrapped();
        compute_cycles(3 * TICK_CYCLES);
        wrap += WRAP_TICKS;
        counter_set((uint32_t)(wrap - READING_BEFORE));
        timed_interrupt_in(cycles);
        uint64_t now = time_now_us();
        expect(now >= us_of(wrap - READING_BEFORE));
        expect(now <= us_of(wrap + 2 * HELD_TICKS));
        wait_until_wrapped();
    }
}

TEST(the_first_reading_after_a_wrap_is_right_amid_the_next_one)
{
    read_after_a_wrap();
}

/* The same for each cycle of setting an alarm for just after the wrap. */
TEST(an_alarm_that_is_held_up_while_the_counter_wraps_is_neither_early_nor_lost)
{
    for (uint16_t cycles = 1; cycles < SETTING_CYCLES; cycles += SETTING_STEP) {
        fired = 0;
        go_before_wrap(SETTING_BEFORE);
        timed_interrupt_in(cycles);
        expect_equal(timer_arm(&timer, us_of(wrap + SETTING_DUE)), 0);
        while (fired == 0) {
        }
        expect_fired(wrap + SETTING_DUE, wrap + HELD_TICKS);
        wait_until_wrapped();
    }
}

/* The time is read in the cycles around the alarm's match. */
TEST(an_alarm_that_comes_while_somebody_asks_for_the_time_is_not_lost)
{
    for (uint32_t cycles = 0; cycles < MATCH_CYCLES; cycles += MATCH_STEP) {
        fired = 0;
        uint64_t due = tick_now() + MATCH_AHEAD;
        expect_equal(timer_arm(&timer, us_of(due)), 0);
        compute_cycles((MATCH_AHEAD - MATCH_EARLY) * TICK_CYCLES + cycles);
        (void)time_now_us();
        compute_cycles(2 * ALARM_TICKS * TICK_CYCLES);
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

#define VICTIM_US UINT32_C(20000)

static void expect_victim_after(uint64_t start)
{
    expect(victim_fired_at >= start + VICTIM_US);
    expect(victim_fired_at <= start + VICTIM_US + LATE_US + READING_US);
}

/* Each alarm is earlier than the one before: from after the victim's to before it. On the SAM R21 a
 * crossing lasts 1,464 cycles. */
static void rearm_earlier(uint32_t pause_cycles)
{
    uint64_t start = time_now_us();
    uint64_t deadline = start + VICTIM_US;
    victim_fired_at = 0;
    expect_equal(timer_arm(&victim, deadline), 0);
    compute_us(VICTIM_US / 4 * 3);
    while (victim_fired_at == 0) {
        deadline -= TICK_US;
        (void)timer_cancel(&other);
        expect_equal(timer_arm(&other, deadline), 0);
        compute_cycles(pause_cycles);
    }
    (void)timer_cancel(&other);
    expect_victim_after(start);
}

TEST(who_sets_earlier_alarms_again_and_again_keeps_none_from_coming)
{
    for (uint32_t cycles = 3; cycles < 1600; cycles += 17) {
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
        compute_cycles(pause_cycles);
    }
    (void)timer_cancel(&other);
    expect_victim_after(start);
}

TEST(who_sets_alarms_for_the_past_again_and_again_keeps_none_from_coming)
{
    for (uint32_t cycles = 3; cycles < 1600; cycles += 17) {
        rearm_for_the_past(cycles);
    }
}
