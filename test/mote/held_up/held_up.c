/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Deadlines while an event keeps the kernel level, from microseconds to seconds. */
#include <lichen/event.h>
#include <lichen/interrupt.h>
#include <lichen/thread.h>
#include <lichen/time.h>
#include <lichen/timer.h>

#include "compute.h"
#include "late.h"
#include "test.h"
#include "timed_interrupt.h"

static volatile unsigned fired;
static volatile uint64_t fired_at;

EVENT(fires)
{
    fired++;
    fired_at = time_now_us();
}
TIMER(timer, fires);

static volatile uint64_t other_fired_at;
EVENT(other_fires)
{
    other_fired_at = time_now_us();
}
TIMER(other, other_fires);

static uint32_t to_compute;
static volatile uint64_t free_at;

EVENT(arms_and_computes)
{
    expect_equal(timer_arm_after(&timer, 100000), 0);
    compute_us(to_compute);
    free_at = time_now_us();
}

TEST(an_alarm_for_the_past_is_not_lost)
{
    static const uint32_t us[] = {200000, 99500, 100200, 1500000};
    for (unsigned i = 0; i < sizeof(us) / sizeof(us[0]); i++) {
        fired = 0;
        to_compute = us[i];
        uint64_t start = time_now_us();
        event_post(&arms_and_computes);
        sleep_ms(150);
        expect_equal(fired, 1);
        expect(fired_at >= start + 100000);
        uint64_t due = free_at > start + 100000 ? free_at : start + 100000;
        expect(fired_at <= due + LATE_US + READING_US);
    }
}

/* Lengths stay distinct although they share a reading, which an event has delayed. */
static volatile uint64_t armed_at;
EVENT(arms_twice)
{
    expect_equal(timer_arm_after(&other, 50000), 0);
    compute_us(to_compute);
    armed_at = time_now_us();
    expect_equal(timer_arm_after(&timer, 100000), 0);
}

EVENT(arms_twice_without_a_look)
{
    expect_equal(timer_arm_after(&other, 50000), 0);
    compute_us(to_compute);
    expect_equal(timer_arm_after(&timer, 100000), 0);
}

static void expect_each_from_its_call(struct event *arms, uint32_t us)
{
    fired = 0;
    other_fired_at = 0;
    to_compute = us;
    armed_at = 0;
    uint64_t start = time_now_us();
    event_post(arms);
    if (armed_at == 0) {
        armed_at = time_now_us() - 2 * READING_US;
    }
    sleep_ms(200);
    expect_equal(fired, 1);
    expect(other_fired_at >= start + 50000);
    expect(fired_at >= armed_at + 100000);
    expect(fired_at <= armed_at + 100000 + LATE_US + 3 * READING_US);
}

TEST(a_length_counts_from_its_own_call)
{
    static const uint32_t us[] = {0, 20, 60, 100, 150, 200, 400, 3600, 20000, 120000, 1100000};
    for (unsigned i = 0; i < sizeof(us) / sizeof(us[0]); i++) {
        expect_each_from_its_call(&arms_twice, us[i]);
        expect_each_from_its_call(&arms_twice_without_a_look, us[i]);
    }
}

/* An unrelated event that begins while a sleep is being set up. */
EVENT(computes)
{
    compute_us(200000);
    free_at = time_now_us();
}

TIMED_INTERRUPT()
{
    event_post_from(&computes, ARCH_LEVEL_DRIVER);
}

static volatile uint32_t rounds;
THREAD(keeps_awake, SMALL_STACK, PRIORITY_LOW)
{
    for (;;) {
        rounds++;
    }
}

static void sweep(uint32_t sleep_ms_)
{
    for (uint16_t cycles = BEGUN_CYCLES; cycles < BEGUN_CYCLES + 7300; cycles += 331) {
        uint64_t start = time_now_us();
        timed_interrupt_in(cycles);
        sleep_ms(sleep_ms_);
        uint64_t now = time_now_us();
        uint64_t due = start + sleep_ms_ * TIME_US_PER_MS;
        due = due > free_at ? due : free_at;
        expect(now >= start + sleep_ms_ * TIME_US_PER_MS);
        expect(now <= due + LATE_US + 2 * READING_US);
    }
}

TEST(a_sleep_ends_although_an_event_came_into_its_beginning)
{
    timed_interrupt_enable();
    sweep(100);
    sweep(201);
}
