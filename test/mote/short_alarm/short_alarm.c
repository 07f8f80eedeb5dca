/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Alarms in microseconds, against another timer of the chip. */
#include <lichen/alarm.h>
#include <lichen/event.h>
#include <lichen/panic.h>
#include <lichen/reset.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "compute.h"
#include "micro_clock.h"
#include "sleep_mode.h"
#include "test.h"

/* A word that start-up does not touch counts the starts. */
static __attribute__((section(".noinit"))) unsigned starts;

static const uint32_t too_long[] = {ALARM_MAX_US + 1, 0x10000};
#define TOO_LONG (sizeof(too_long) / sizeof(too_long[0]))

/* Each ends the program; the next start checks the record. */
TEST(sleeping_for_too_long_asserts)
{
    if (reset_cause() == RESET_POWER) {
        starts = 0;
    } else {
        expect_equal(panic_last()->reason, PANIC_ASSERT);
    }
    if (starts < TOO_LONG) {
        sleep_exact_us(too_long[starts++]);
        expect(false);
    }
}

enum { MOST = 4 };
static volatile unsigned fired;
static volatile uint8_t order[MOST];
static volatile uint16_t fired_at;

static void note(uint8_t which)
{
    fired_at = micro_now();
    if (fired < MOST) {
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
EVENT(third_fires)
{
    note(3);
}
static ALARM(first, first_fires);
static ALARM(second, second_fires);
static ALARM(third, third_fires);

/* Computing: setting the tick's alarm would keep the kernel level busy for longer. */
static void await_fired(unsigned count)
{
    while (fired < count) {
    }
    sleep_ms(1);
    expect_equal(fired, count);
}

/* Setting the alarm, its interrupt and its event take most of that, however long the alarm. */
static void expect_in_time(uint16_t start, uint16_t us)
{
    uint32_t beside = micro_us(start, fired_at) - us;
    expect(beside >= MICRO_EVENT_US - MICRO_SLACK_US);
    expect(beside <= MICRO_EVENT_US + MICRO_SLACK_US + (us < 300 ? MICRO_EVENT_US : 0));
}

static void fire_after(uint16_t us)
{
    fired = 0;
    uint16_t start = micro_now();
    expect_equal(alarm_set(&first, us), 0);
    await_fired(1);
    expect_in_time(start, us);
}

TEST(an_alarm_is_never_early_and_hardly_late)
{
    sleep_ms(100); /* until the console has sent what was printed before */
    micro_start();
    for (uint16_t us = 0; us < 300; us++) {
        fire_after(us);
    }
    for (uint16_t us = 300; us <= ALARM_MAX_US; us += 1237) {
        fire_after(us);
    }
    fire_after(ALARM_MAX_US);
}

TEST(alarms_fire_in_their_order_however_they_were_set)
{
    fired = 0;
    expect_equal(alarm_set(&third, 9000), 0);
    expect_equal(alarm_set(&first, 3000), 0);
    expect_equal(alarm_set(&second, 6000), 0);
    await_fired(3);
    expect(order[0] == 1 && order[1] == 2 && order[2] == 3);
}

TEST(equals_fire_in_the_order_in_which_they_were_set)
{
    unsigned equals = 0;
    for (uint16_t us = 2800; us <= 3000; us++) {
        fired = 0;
        expect_equal(alarm_set(&first, 3000), 0);
        for (volatile uint8_t wait = us % 16; wait > 0; wait--) { /* cycles that differ */
        }
        expect_equal(alarm_set(&second, us), 0);
        bool are_equal = first.due == second.due;
        await_fired(2);
        if (are_equal) {
            equals++;
            expect(order[0] == 1 && order[1] == 2);
        }
    }
    expect(equals > 0);
}

TEST(what_cannot_be_set_is_refused)
{
    fired = 0;
    expect_equal(alarm_set(&first, ALARM_MAX_US + 1), ERR_INVALID);
    expect_equal(alarm_set(&first, 0x10000), ERR_INVALID);
    expect_equal(alarm_set(&first, 2000), 0);
    expect_equal(alarm_set(&first, 100), ERR_BUSY);
    await_fired(1);
    expect_equal(alarm_cancel(&first), ERR_EMPTY);
}

TEST(a_cancelled_alarm_does_not_fire_and_the_others_do)
{
    struct alarm *const alarms[] = {&first, &second, &third};
    for (unsigned which = 0; which < 3; which++) {
        fired = 0;
        expect_equal(alarm_set(&first, 2000), 0);
        expect_equal(alarm_set(&second, 4000), 0);
        expect_equal(alarm_set(&third, 6000), 0);
        expect_equal(alarm_cancel(alarms[which]), 0);
        expect_equal(alarm_cancel(alarms[which]), ERR_EMPTY);
        sleep_ms(12);
        expect_equal(fired, 2);
        expect(order[0] != which + 1 && order[1] != which + 1);
    }
    fired = 0;
    expect_equal(alarm_set(&first, 2000), 0);
    expect_equal(alarm_cancel(&first), 0);
    sleep_ms(10);
    expect_equal(fired, 0);
}

TEST(the_mote_sleeps_lightly_while_an_alarm_is_set)
{
    sleep_ms(20);
    expect_equal(sleep_mode(), SLEEP_DEEPEST);
    fired = 0;
    expect_equal(alarm_set(&first, 20000), 0);
    sleep_ms(5);
    expect_equal(sleep_mode(), SLEEP_COUNTING);
    await_fired(1);
    sleep_ms(5);
    expect_equal(sleep_mode(), SLEEP_DEEPEST);
    expect_equal(alarm_set(&first, 20000), 0);
    expect_equal(alarm_cancel(&first), 0);
    sleep_ms(5);
    expect_equal(sleep_mode(), SLEEP_DEEPEST);
}

/* ---------------------------------------------------------------- in between */
/* The counter's interrupt comes before each instruction of the call, and some time before. */
enum {
    BETWEEN_US = 150,
    BETWEEN_CYCLES = 2400,
    BETWEEN_STEP = 3,
};

TEST(an_alarm_may_fire_while_another_is_set)
{
    for (uint16_t cycles = 0; cycles < BETWEEN_CYCLES; cycles += BETWEEN_STEP) {
        fired = 0;
        expect_equal(alarm_set(&first, BETWEEN_US), 0);
        compute_cycles(cycles);
        expect_equal(alarm_set(&second, BETWEEN_US / 2), 0);
        await_fired(2);
    }
}

TEST(an_alarm_fires_or_is_cancelled)
{
    unsigned cancelled = 0;
    for (uint16_t cycles = 0; cycles < BETWEEN_CYCLES; cycles += BETWEEN_STEP) {
        fired = 0;
        expect_equal(alarm_set(&first, BETWEEN_US), 0);
        compute_cycles(cycles);
        unsigned left = alarm_cancel(&first) == 0 ? 0 : 1;
        cancelled += 1 - left;
        expect_equal(alarm_set(&second, BETWEEN_US / 2), 0);
        await_fired(left + 1);
    }
    expect(cancelled > 0 && cancelled < BETWEEN_CYCLES / BETWEEN_STEP);
}

/* ---------------------------------------------------------------- held up */
static volatile uint16_t busy_until;
static unsigned busy_ms;

EVENT(computes)
{
    compute_cycles(busy_ms * MS_CYCLES);
    busy_until = micro_now();
}

TEST(an_alarm_whose_time_passes_in_an_event_fires_when_that_ends)
{
    for (busy_ms = 5; busy_ms < 150; busy_ms += 13) {
        fired = 0;
        expect_equal(alarm_set(&third, 3000), 0);
        expect_equal(alarm_set(&second, 2000), 0);
        expect_equal(alarm_set(&first, 1000), 0);
        event_post(&computes);
        await_fired(3);
        expect(order[0] == 1 && order[1] == 2 && order[2] == 3);
        expect(micro_us(busy_until, fired_at) <= 2 * MICRO_EVENT_US);
        fire_after(500);
    }
}

/* ---------------------------------------------------------------- again and again */
static volatile unsigned rounds;
static volatile bool set_in_vain;
EVENT_EXTERN(again_fires);
static ALARM(again, again_fires);

EVENT(again_fires)
{
    if (rounds < 1000) {
        rounds++;
        set_in_vain |= alarm_set(&again, (uint16_t)(rounds % 97)) != 0;
    }
}

TEST(an_alarm_may_be_set_in_its_own_event)
{
    event_post(&again_fires);
    sleep_ms(200);
    expect_equal(rounds, 1000);
    expect(!set_in_vain);
    expect_equal(alarm_cancel(&again), ERR_EMPTY);
}

/* ---------------------------------------------------------------- threads */
static volatile unsigned others;
static volatile uint16_t other_slept;

THREAD_STOPPED(other, SMALL_STACK, PRIORITY_HIGH)
{
    uint16_t start = micro_now();
    sleep_exact_us(1500);
    other_slept = (uint16_t)micro_us(start, micro_now());
    others++;
}

TEST(threads_sleep_exactly)
{
    for (uint16_t us = 1; us <= 5000; us += 311) {
        others = 0;
        expect_equal(thread_start(&other, 0), 0);
        uint16_t start = micro_now();
        sleep_exact_us(us);
        uint32_t slept = micro_us(start, micro_now());
        expect(slept + 1 >= us);
        expect(slept <= us + ALARM_LATE_US + MICRO_SLEEP_US);
        thread_join(&other);
        expect_equal(others, 1);
        expect(other_slept + 1 >= 1500);
        expect(other_slept <= 1500 + ALARM_LATE_US + MICRO_SLEEP_US);
    }
}

TEST(a_thread_that_is_destroyed_leaves_no_alarm)
{
    others = 0;
    expect_equal(thread_start(&other, 0), 0);
    sleep_exact_us(700);
    thread_destroy(&other);
    sleep_ms(10);
    expect_equal(others, 0);
    fire_after(300);
    expect_equal(thread_start(&other, 0), 0);
    thread_join(&other);
    expect_equal(others, 1);
}
