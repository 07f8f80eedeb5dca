/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Days without a reading of the clock: the counter wraps, on the SAM R21 after 36.4 hours, whatever
 * keeps the processor meanwhile.
 */
#include <lichen/event.h>
#include <lichen/interrupt.h>
#include <lichen/notify.h>
#include <lichen/thread.h>
#include <lichen/time.h>
#include <lichen/timer.h>

#include "held.h"
#include "late.h"
#include "software_interrupt.h"
#include "test.h"

#define HALF_HOUR_US (1800 * TIME_US_PER_S)
#define SLACK_US     UINT64_C(4000000) /* the timer counts seconds, in a clock domain of its own */

static void expect_passed(uint64_t since, unsigned half_hours)
{
    uint64_t passed = time_now_us() - since;
    expect(passed >= half_hours * HALF_HOUR_US - SLACK_US);
    expect(passed <= half_hours * HALF_HOUR_US + SLACK_US);
}

static void expect_sleep_to_work(void)
{
    uint64_t start = time_now_us();
    sleep_ms(100);
    uint64_t slept = time_now_us() - start;
    expect(slept >= 100000);
    expect(slept <= 100000 + LATE_US + 2 * READING_US);
}

static void expect_slept(uint64_t since, uint64_t us)
{
    uint64_t slept = time_now_us() - since;
    expect(slept >= us);
    expect(slept <= us + EXTRA_US);
}

/* In variables, a product as one writes it, and the first lengths with more than 32 bits. */
TEST(a_sleep_has_all_bits_of_its_length)
{
    volatile unsigned hours = 2;
    volatile uint64_t us = (UINT64_C(1) << 32) + 1;
    volatile uint64_t ms = (UINT64_C(1) << 32) + 1;

    uint64_t start = time_now_us();
    sleep_us(hours * 3600 * TIME_US_PER_S);
    expect_slept(start, 7200 * TIME_US_PER_S);
    start = time_now_us();
    sleep_us(2 * 3600 * TIME_US_PER_S);
    expect_slept(start, 7200 * TIME_US_PER_S);
    start = time_now_us();
    sleep_us(us);
    expect_slept(start, us);
    start = time_now_us();
    sleep_ms(ms);
    expect_slept(start, ms * TIME_US_PER_MS);
}

/* Half hours until 32 bits of the SAM R21's ticks have wrapped. */
enum { ONE_WRAP = 74, TWO_WRAPS = 148 };

TEST(a_thread_that_computes_for_days_loses_no_time)
{
    hold_prepare();
    uint64_t start = time_now_us();
    hold_half_hours(ONE_WRAP);
    expect_passed(start, ONE_WRAP);
    expect_sleep_to_work();
}

static unsigned to_hold;
static volatile uint64_t fired_at;
static volatile unsigned fired;

EVENT(fires)
{
    fired++;
    fired_at = time_now_us();
}
TIMER(timer, fires);
TIMER(periodic, fires);

EVENT(holds)
{
    hold_half_hours(to_hold);
}

static void expect_event_held_up(unsigned count)
{
    fired = 0;
    to_hold = count;
    uint64_t start = time_now_us();
    expect_equal(timer_arm_after(&timer, 100000), 0);
    event_post(&holds);
    uint64_t free = time_now_us();
    expect_passed(start, count);
    sleep_ms(2);
    expect_equal(fired, 1);
    expect(fired_at <= free + LATE_US + READING_US);
    expect_sleep_to_work();
}

TEST(an_event_that_lasts_for_days_loses_no_time_and_no_alarm)
{
    expect_event_held_up(TWO_WRAPS);
}

#define PERIOD_US ((uint32_t)SHORT_PERIOD_US + 9)

TEST(periods_of_hours_are_passed_over_at_once)
{
    uint64_t first = time_now_us() + 10000;
    expect_equal(timer_arm_every(&periodic, first, PERIOD_US), 0);
    to_hold = 16;
    event_post(&holds);
    sleep_ms(10);
    fired = 0;
    sleep_us(100 * PERIOD_US);
    expect(fired >= 99 && fired <= 101 + EXTRA_US / PERIOD_US);
    uint64_t before = fired_at;
    expect_equal(timer_cancel(&periodic), 0);
    expect((before - first) % PERIOD_US <= LATE_US + READING_US);
}

NOTIFY(go);
static volatile uint64_t woke_at;
THREAD(sleeper, SMALL_STACK, PRIORITY_HIGH)
{
    for (;;) {
        notify_wait(&go);
        sleep_ms(1000);
        woke_at = time_now_us();
    }
}

static void hold_at(unsigned level)
{
    if (level == 1) {
        hold_in_interrupt();
    }
}
SOFTWARE_INTERRUPTS(hold_at)

TEST(an_interrupt_that_lasts_for_hours_loses_no_time_and_no_alarm)
{
    software_interrupts_enable();
    uint64_t start = time_now_us();
    notify_post(&go);
    sleep_ms(10);
    software_interrupts(1u << 1);
    uint64_t free = time_now_us();
    uint64_t due = start + 1000000;
    if (free > due) {
        expect_passed(start, 40);
        due = free;
    }
    sleep_until_us(due + 5000);
    expect(woke_at >= start + 1000000);
    expect(woke_at <= due + LATE_US + READING_US);
}

/* Two wraps during which nothing reads the clock or waits for it. */
TEST(deadlines_further_ahead_than_a_wrap_are_kept)
{
    fired = 0;
    uint64_t start = time_now_us();
    uint64_t deadline = start + 150 * HALF_HOUR_US + 12345;
    expect_equal(timer_arm(&timer, deadline), 0);
    sleep_until_us(deadline - EXTRA_US);
    expect_equal(fired, 0);
    sleep_us(2 * EXTRA_US + 2000);
    expect_equal(fired, 1);
    expect(fired_at >= deadline);
    expect(fired_at <= deadline + LATE_US + READING_US);
}
