/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Time: sleeps and timers end a little late, and never early. */
#include <lichen/power.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/timer.h>
#include <lichen/time.h>

#include "compute.h"
#include "counter.h"
#include "fine_clock.h"
#include "late.h"
#include "sleep_mode.h"
#include "test.h"

#define NEAR_US 2500u /* an alarm this near needs further readings */

static void expect_sleep(uint32_t us)
{
    uint64_t start = time_now_us();
    sleep_us(us);
    uint64_t slept = time_now_us() - start;
    expect(slept >= us);
    expect(slept <= us + (us < NEAR_US ? 2 * EXTRA_US : EXTRA_US));
}

TEST(time_goes_on)
{
    uint64_t before = time_now_us();
    uint64_t after = time_now_us();
    expect(after >= before);
    expect(after - before <= READING_US + TICK_US);
}

TEST(sleeps_are_as_long_as_they_should_be)
{
    static const uint32_t lengths_us[] = {0,    1,     30,    31,     100,    244,
                                          245,  300,   500,   1000,   1001,   5000,
                                          9999, 20000, 33333, 100000, 333333, 1000000};
    for (unsigned i = 0; i < sizeof(lengths_us) / sizeof(*lengths_us); i++) {
        expect_sleep(lengths_us[i]);
    }
}

TEST(milliseconds_are_a_thousand_microseconds)
{
    uint64_t start = time_now_us();
    sleep_ms(1234);
    uint64_t slept = time_now_us() - start;
    expect(slept >= 1234000);
    expect(slept <= 1234000 + EXTRA_US);
}

TEST(a_period_does_not_drift)
{
    uint64_t start = time_now_us();
    uint64_t deadline = start;
    for (unsigned i = 0; i < 100; i++) {
        deadline += 10 * TIME_US_PER_MS;
        sleep_until_us(deadline);
        expect(time_now_us() >= deadline - TICK_US);
    }
    expect(time_now_us() - start <= 1000 * TIME_US_PER_MS + EXTRA_US);
}

TEST(the_past_does_not_wait)
{
    uint64_t start = time_now_us();
    sleep_until_us(0);
    sleep_until_us(start - 1);
    expect(time_now_us() - start <= 2 * EXTRA_US + READING_US);
}

/* Sleepers with periods that meet. */
static volatile unsigned wakes[3];
static volatile bool awake = true;
static uint64_t common_start;
SEMAPHORE(start, 0);

static void wakes_each(unsigned number, uint32_t period_ms)
{
    semaphore_wait(&start);
    uint64_t deadline = common_start;
    while (awake) {
        deadline += period_ms * TIME_US_PER_MS;
        sleep_until_us(deadline);
        wakes[number]++;
    }
    semaphore_wait(&start);
}

THREAD(every_10_ms, MEDIUM_STACK, PRIORITY_APP + 1)
{
    wakes_each(0, 10);
}
THREAD(every_15_ms, MEDIUM_STACK, PRIORITY_APP + 2)
{
    wakes_each(1, 15);
}
THREAD(every_7_ms, MEDIUM_STACK, PRIORITY_APP + 3)
{
    wakes_each(2, 7);
}

TEST(sleepers_do_not_disturb_each_other)
{
    common_start = time_now_us();
    for (unsigned i = 0; i < 3; i++) {
        semaphore_post(&start);
    }
    sleep_until_us(common_start + 625 * TIME_US_PER_MS); /* before all three meet again */
    expect_equal(wakes[0], 62);
    expect_equal(wakes[1], 41);
    expect_equal(wakes[2], 89);
    sleep_until_us(common_start + 632 * TIME_US_PER_MS);
    expect_equal(wakes[0], 63);
    expect_equal(wakes[1], 42);
    expect_equal(wakes[2], 90);
    awake = false;
    sleep_ms(20);
}

static volatile unsigned fired;
static volatile uint64_t fired_at;

EVENT(timer_fired)
{
    fired++;
    fired_at = time_now_us();
}
TIMER(timer, timer_fired);

TEST(a_timer_posts_its_event_once)
{
    uint64_t deadline = time_now_us() + 20 * TIME_US_PER_MS;
    expect_equal(timer_arm(&timer, deadline), 0);
    expect_equal(timer_arm(&timer, deadline), ERR_BUSY);
    sleep_ms(10);
    expect_equal(fired, 0);
    sleep_ms(30);
    expect_equal(fired, 1);
    expect(fired_at >= deadline);
    expect(fired_at <= deadline + EXTRA_US);
    expect_equal(timer_cancel(&timer), ERR_EMPTY);
}

TEST(a_cancelled_timer_does_not_fire)
{
    fired = 0;
    expect_equal(timer_arm(&timer, time_now_us() + 10 * TIME_US_PER_MS), 0);
    expect_equal(timer_cancel(&timer), 0);
    sleep_ms(20);
    expect_equal(fired, 0);
}

/* A clock that is finer than a tick shows whether the tick in which a length begins counts as a
 * whole one. */
POWER_LIMIT(fine_clock_limit);

static volatile fine_t fine_fired;
EVENT(notes_fine_time)
{
    fine_fired = fine_now();
}
TIMER(fine_timer, notes_fine_time);

#define WHOLE_TICKS_US 15625u /* rounding adds nothing */
#define FINE_US        9u     /* what fine_now is off by */

/* Arms for some ticks, and keeps the kernel level until the last of them has just begun. */
static volatile fine_t begun;
EVENT(arms_and_keeps)
{
    begun = fine_now();
    expect_equal(timer_arm_after(&fine_timer, WHOLE_TICKS_US), 0);
    while (fine_us(begun, fine_now()) < WHOLE_TICKS_US - TICK_US * 9 / 10) {
    }
}

TEST(a_length_is_never_short_wherever_in_a_tick_it_begins)
{
    power_limit(&fine_clock_limit, SLEEP_COUNTING);
    for (unsigned part = 0; part < 50; part++) {
        counter_await();
        compute_cycles(part * (TICK_CYCLES / 50));
        event_post(&arms_and_keeps);
        sleep_ms(10);
        expect(fine_us(begun, fine_fired) + FINE_US >= WHOLE_TICKS_US);
    }
    power_unlimit(&fine_clock_limit);
}

TEST(a_timer_of_the_past_fires_at_once)
{
    fired = 0;
    expect_equal(timer_arm(&timer, 0), 0);
    sleep_ms(1);
    expect_equal(fired, 1);
}

TEST(a_timer_an_hour_ahead_is_armed_and_cancelled)
{
    fired = 0;
    expect_equal(timer_arm(&timer, time_now_us() + UINT64_C(3600000000)), 0);
    sleep_ms(10);
    expect_equal(timer_cancel(&timer), 0);
    expect_equal(timer_arm(&timer, TIME_NEVER - 1), 0);
    sleep_ms(10);
    expect_equal(timer_cancel(&timer), 0);
    expect_equal(fired, 0);
}
