/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Two weeks without input: past 18.2 hours, where the SAM R21's 32 bits of ticks change their sign,
 * and past each 36.4 hours, where they wrap. On the ATmega128, where the counter's eight bits wrap
 * all the time, it is the lower three bytes, after 2.3 and 4.6 hours. The program says how late a
 * deadline may be, LATE_BY_US.
 */
#include <lichen/thread.h>
#include <lichen/time.h>
#include <lichen/timer.h>

#include "counter.h"
#include "test.h"

#define HOUR_US  (3600 * TIME_US_PER_S)
#define SLACK_US (LATE_BY_US + EXTRA_US)

/* Where the tick changes its sign, and where it wraps. */
#define BITS    (COUNTER_BITS == 32 ? 32 : 24)
#define SIGN_US ((UINT64_C(1) << (BITS - 1)) * TIME_PARTS_PER_TICK / TIME_PARTS_PER_US)
#define WRAP_US (2 * SIGN_US)

static volatile unsigned fired;
static volatile uint64_t fired_at;

EVENT(counted)
{
    fired++;
    fired_at = time_now_us();
}
TIMER(timer, counted);
TIMER(hourly, counted);

static void expect_on_time(uint64_t moment)
{
    uint64_t now = time_now_us();
    expect(now >= moment);
    expect(now <= moment + SLACK_US);
}

/* What is near and what is past, at a moment when the 32-bit tick is odd. */
static void expect_timers_to_work(void)
{
    uint64_t now = time_now_us();
    fired = 0;
    expect_equal(timer_arm(&timer, 0), 0);
    sleep_ms(2);
    expect_equal(fired, 1);
    expect_equal(timer_arm(&timer, now - HOUR_US), 0);
    sleep_ms(2);
    expect_equal(fired, 2);
    expect_equal(timer_arm(&timer, now + 50000), 0);
    sleep_until_us(now + 60000);
    expect_equal(fired, 3);
    expect(fired_at >= now + 50000);
    expect(fired_at <= now + 50000 + SLACK_US);
}

TEST(a_sleep_ends_where_the_tick_changes_its_sign)
{
    sleep_until_us(SIGN_US - 100000);
    expect_on_time(SIGN_US - 100000);
    sleep_until_us(SIGN_US);
    expect_on_time(SIGN_US);
    expect_timers_to_work();
}

TEST(a_period_passes_the_wrap)
{
    uint64_t start = time_now_us();
    fired = 0;
    expect_equal(timer_arm_every(&hourly, start + HOUR_US, HOUR_US), 0);
    sleep_until_us(WRAP_US - 40);
    expect_on_time(WRAP_US - 40);
    sleep_until_us(WRAP_US + 40);
    expect_on_time(WRAP_US + 40);
    expect_equal(fired, (WRAP_US - start) / HOUR_US);
    sleep_until_us(start + 20 * HOUR_US + HOUR_US / 2);
    expect_equal(fired, 20);
    expect(fired_at >= start + 20 * HOUR_US);
    expect(fired_at <= start + 20 * HOUR_US + SLACK_US);
    expect_equal(timer_cancel(&hourly), 0);
    expect_timers_to_work();
}

/* Until then the counter equals the deadline's lower bits two or three times, the first time at
 * once or within a wrap. */
static void expect_kept(uint64_t ahead_us)
{
    uint64_t deadline = time_now_us() + ahead_us;
    fired = 0;
    expect_equal(timer_arm(&timer, deadline), 0);
    sleep_until_us(deadline - SLACK_US - 1000);
    expect_on_time(deadline - SLACK_US - 1000);
    expect_equal(fired, 0);
    sleep_until_us(deadline + SLACK_US + 1000);
    expect_equal(fired, 1);
    expect(fired_at >= deadline);
    expect(fired_at <= deadline + SLACK_US);
}

TEST(deadlines_further_ahead_than_a_wrap_are_kept)
{
    for (unsigned us = 0; us < 1500; us += 305) {
        expect_kept(WRAP_US - 500 + us);
    }
    expect_kept(WRAP_US + WRAP_US / 3);
    expect_kept(2 * WRAP_US + WRAP_US / 3);
}

TEST(nothing_to_do_for_longer_than_the_alarm_reaches)
{
    uint64_t deadline = time_now_us() + 10 * HOUR_US;
    sleep_until_us(deadline);
    expect_on_time(deadline);
}

/* The alarms that come just before a wrap are served while it comes. */
static void expect_to_go_on_at_a_wrap(uint32_t before_us)
{
    uint64_t wrap = (time_now_us() / WRAP_US + 1) * WRAP_US;
    uint64_t first = wrap - 3 * TIME_US_PER_S / 2;
    fired = 0;
    expect_equal(timer_arm_every(&timer, first, TIME_US_PER_S), 0);
    sleep_until_us(wrap - before_us);
    for (unsigned seconds = 1; seconds <= 3; seconds++) {
        uint64_t end = time_now_us() + TIME_US_PER_S;
        sleep_ms(1000);
        expect_on_time(end);
        expect_equal(fired, 2 + seconds);
    }
    expect_equal(timer_cancel(&timer), 0);
}

TEST(a_timer_and_a_sleep_go_on_at_a_wrap)
{
    for (uint32_t before_us = 100; before_us < 1000; before_us += 175) {
        expect_to_go_on_at_a_wrap(before_us);
    }
}
