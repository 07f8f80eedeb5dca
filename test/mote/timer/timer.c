/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Timers: once, after a while, every period; what they do with lengths that make no sense. */
#include <lichen/notify.h>
#include <lichen/thread.h>
#include <lichen/time.h>
#include <lichen/timer.h>

#include "compute.h"
#include "late.h"
#include "test.h"

static volatile unsigned fired;
static volatile uint64_t fired_at;

EVENT(counted)
{
    fired++;
    fired_at = time_now_us();
}
TIMER(timer, counted);

static void forget(void)
{
    fired = 0;
    fired_at = 0;
}

TEST(after_a_while_it_posts_once)
{
    forget();
    uint64_t start = time_now_us();
    expect_equal(timer_arm_after(&timer, 7000), 0);
    expect_equal(timer_arm_after(&timer, 7000), ERR_BUSY);
    sleep_ms(20);
    expect_equal(fired, 1);
    expect(fired_at >= start + 7000);
    expect(fired_at <= start + 7000 + EXTRA_US);
    expect_equal(timer_cancel(&timer), ERR_EMPTY);
}

TEST(after_no_time_it_posts_at_once)
{
    forget();
    uint64_t start = time_now_us();
    expect_equal(timer_arm_after(&timer, 0), 0);
    sleep_ms(2);
    expect_equal(fired, 1);
    expect(fired_at <= start + 2 * EXTRA_US);
}

/* In an event it is not inside the call: events do not interrupt each other. */
static unsigned fired_inside;
EVENT(arms_for_now)
{
    expect_equal(timer_arm(&timer, 0), 0);
    fired_inside = fired;
}

TEST(the_past_does_not_post_inside_an_event)
{
    forget();
    event_post(&arms_for_now);
    sleep_ms(2);
    expect_equal(fired_inside, 0);
    expect_equal(fired, 1);
}

TEST(the_longest_length_never_comes_and_can_be_cancelled)
{
    forget();
    expect_equal(timer_arm_after(&timer, TIME_NEVER), 0);
    sleep_ms(5);
    expect_equal(timer_cancel(&timer), 0);
    expect_equal(timer_arm_after(&timer, TIME_NEVER >> 9), 0);
    sleep_ms(5);
    expect_equal(timer_cancel(&timer), 0);
    expect_equal(timer_arm(&timer, TIME_NEVER), 0);
    sleep_ms(5);
    expect_equal(timer_cancel(&timer), 0);
    expect_equal(fired, 0);
}

/* Right after the call the slow clock has not yet been read, so the timer's start is not known. */
TEST(a_length_can_be_cancelled_before_it_has_begun)
{
    forget();
    expect_equal(timer_arm_after(&timer, 2000), 0);
    expect_equal(timer_cancel(&timer), 0);
    expect_equal(timer_cancel(&timer), ERR_EMPTY);
    uint64_t start = time_now_us();
    expect_equal(timer_arm_after(&timer, 4000), 0);
    expect_equal(timer_cancel(&timer), 0);
    expect_equal(timer_arm_after(&timer, 6000), 0);
    sleep_ms(20);
    expect_equal(fired, 1);
    expect(fired_at >= start + 6000);
    expect(fired_at <= start + 6000 + EXTRA_US);
}

static volatile uint64_t other_fired_at;
EVENT(other_counted)
{
    other_fired_at = time_now_us();
}
TIMER(other_timer, other_counted);

TEST(lengths_that_begin_together_end_in_their_order)
{
    forget();
    uint64_t start = time_now_us();
    expect_equal(timer_arm_after(&timer, 9000), 0);
    expect_equal(timer_arm_after(&other_timer, 3000), 0);
    sleep_ms(1);
    expect_equal(timer_cancel(&timer), 0);
    expect_equal(timer_arm_after(&timer, 5000), 0);
    sleep_ms(20);
    expect(other_fired_at >= start + 3000);
    expect(other_fired_at <= start + 3000 + EXTRA_US);
    expect_equal(fired, 1);
    expect(fired_at >= start + 6000);
    expect(fired_at <= start + 6000 + 2 * EXTRA_US);
}

/* A period of this many microseconds is not a whole number of ticks. */
#define PERIOD_US 10007u
#define PERIODS   300u

TEST(a_period_does_not_drift)
{
    forget();
    uint64_t start = time_now_us();
    expect_equal(timer_arm_every(&timer, start, PERIOD_US), 0);
    for (uint64_t n = 1; n <= PERIODS; n++) {
        sleep_until_us(start + n * PERIOD_US + PERIOD_US / 2);
        expect_equal(fired, n + 1);
        expect(fired_at + TICK_US >= start + n * PERIOD_US);
        expect(fired_at <= start + n * PERIOD_US + EXTRA_US);
    }
    expect_equal(timer_cancel(&timer), 0);
    sleep_ms(30);
    expect_equal(fired, PERIODS + 1);
}

TEST(a_cancelled_period_can_be_armed_anew_with_another_one)
{
    forget();
    uint64_t start = time_now_us();
    expect_equal(timer_arm_every(&timer, start + 5000, 5000), 0);
    expect_equal(timer_arm_every(&timer, start + 5000, 5000), ERR_BUSY);
    expect_equal(timer_cancel(&timer), 0);
    expect_equal(timer_arm_every(&timer, start + 20000, 20000), 0);
    sleep_until_us(start + 90000);
    expect_equal(timer_cancel(&timer), 0);
    expect_equal(fired, 4);
}

TEST(periods_outside_the_range_are_refused)
{
    static const uint64_t wrong[] = {0, 1, TIMER_PERIOD_MIN_US - 1, TIMER_PERIOD_MAX_US + 1,
                                     TIME_NEVER};
    forget();
    for (unsigned i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        expect_equal(timer_arm_every(&timer, 0, wrong[i]), ERR_INVALID);
    }
    expect_equal(timer_cancel(&timer), ERR_EMPTY);
    expect_equal(timer_arm_every(&timer, time_now_us() + TIMER_PERIOD_MAX_US, TIMER_PERIOD_MAX_US),
                 0);
    expect_equal(timer_cancel(&timer), 0);
    expect_equal(fired, 0);
}

TEST(a_short_period_keeps_its_count)
{
    forget();
    uint64_t start = time_now_us() + 2000;
    expect_equal(timer_arm_every(&timer, start, SHORT_PERIOD_US), 0);
    sleep_until_us(start + 100 * SHORT_PERIOD_US - SHORT_PERIOD_US / 4);
    expect_equal(timer_cancel(&timer), 0);
    uint64_t passed = (time_now_us() - start) / SHORT_PERIOD_US;
    expect(passed < 110);
    expect(fired + 1 >= passed); /* reading the clock takes time */
    expect(fired <= passed + 1);
}

static volatile unsigned brief_runs;
EVENT(brief)
{
    brief_runs++;
}
TIMER(brief_timer, brief);

/* The processor is idle: it must not sleep so deeply that it wakes after the next period. */
TEST(no_run_of_a_short_period_is_lost_in_sleep)
{
    for (uint32_t period_us = 1500; period_us <= 4000; period_us += 500) {
        brief_runs = 0;
        uint64_t start = time_now_us() + 10000;
        expect_equal(timer_arm_every(&brief_timer, start, period_us), 0);
        sleep_until_us(start + 400 * period_us - period_us / 4);
        unsigned runs = brief_runs;
        uint64_t passed = (time_now_us() - start) / period_us;
        expect_equal(timer_cancel(&brief_timer), 0);
        expect(runs >= 399 && runs <= passed + 1);
    }
}

/* A length after which the thread has had time to compute. */
TEST(the_shortest_period_leaves_time_for_threads)
{
    forget();
    expect_equal(timer_arm_every(&timer, 0, TIMER_PERIOD_MIN_US), 0);
    for (volatile unsigned left = 10000; left > 0; left--) {
    }
    expect_equal(timer_cancel(&timer), 0);
    expect(fired >= 4);
}

/* The rounding excess of one period is a whole number of ticks after 125 periods; that of two
 * periods of the other is a tick less 1 part of 15,625. */
static volatile unsigned steps;
static volatile unsigned wrong_steps;
static uint64_t first_tick;
static uint32_t step_us;
extern struct timer step_timer;
EVENT(step)
{
    steps++;
    uint32_t parts = steps * step_us * TIME_PARTS_PER_US;
    uint32_t ticks = (parts + TIME_PARTS_PER_TICK - 1) / TIME_PARTS_PER_TICK;
    wrong_steps += step_timer.deadline.tick != first_tick + ticks;
}
TIMER(step_timer, step);

static void expect_exact_steps(uint32_t period_us, unsigned count)
{
    steps = 0;
    wrong_steps = 0;
    step_us = period_us;
    uint64_t start = time_now_us() + 20000;
    expect_equal(timer_arm_every(&step_timer, start, period_us), 0);
    first_tick = step_timer.deadline.tick;
    sleep_until_us(start + (uint64_t)count * period_us);
    expect_equal(timer_cancel(&step_timer), 0);
    expect(steps >= count);
    expect_equal(wrong_steps, 0);
}

TEST(each_period_ends_at_its_tick)
{
    uint32_t half = 10000;
    while (half * TIME_PARTS_PER_US % TIME_PARTS_PER_TICK != TIME_PARTS_PER_TICK / 2 + 1) {
        half++;
    }
    expect_exact_steps(SHORT_PERIOD_US, 130);
    expect_exact_steps(half, 6);
}

/* An event that keeps the kernel level for several periods. */
static volatile unsigned slow_runs;
EVENT(slow)
{
    slow_runs++;
    uint64_t end = time_now_us() + 50000;
    while (time_now_us() < end) {
    }
}
TIMER(slow_timer, slow);
TIMER(beside, counted);

/* Fires at 10 ms; late at about 63 ms, once or twice, for 20 to 60 ms; and at 70 ms. */
TEST(periods_that_pass_while_the_kernel_is_busy_coalesce_and_the_phase_stays)
{
    forget();
    slow_runs = 0;
    uint64_t start = time_now_us();
    expect_equal(timer_arm_every(&beside, start + 10000, 10000), 0);
    expect_equal(timer_arm(&slow_timer, start + 12000), 0);
    sleep_until_us(start + 75000);
    expect_equal(timer_cancel(&beside), 0);
    expect_equal(slow_runs, 1);
    expect(fired >= 3);
    expect(fired <= 4);
    expect(fired_at >= start + 70000);
    expect(fired_at <= start + 70000 + EXTRA_US);
}

/* It does not read the clock, which would reveal how much time has passed. */
EVENT(blind)
{
    compute_us(34000);
}
TIMER(blind_timer, blind);

/* Of six periods that pass, the first may run alone; all others merge into one run. */
TEST(periods_that_nobody_has_looked_at_coalesce_too)
{
    forget();
    uint64_t start = time_now_us();
    expect_equal(timer_arm_every(&beside, start + 10000, 5000), 0);
    expect_equal(timer_arm(&blind_timer, start + 12000), 0);
    sleep_until_us(start + 22000);
    expect_equal(timer_cancel(&beside), 0);
    uint64_t passed = (time_now_us() - start) / 5000 - 2;
    expect(passed >= 4);
    expect(fired >= 2);
    expect(fired <= 3);
}

TEST(a_period_that_began_long_ago_starts_with_one_run)
{
    forget();
    sleep_ms(50);
    uint64_t start = time_now_us() - 50000;
    expect_equal(timer_arm_every(&timer, start, 10000), 0);
    sleep_until_us(start + 65000);
    expect_equal(timer_cancel(&timer), 0);
    expect(fired >= 2);
    expect(fired <= 3);
}

/* A handler that arms its own timer, with a new length each time. */
static volatile unsigned rearmed;
extern struct timer own_timer;
EVENT(rearms)
{
    if (rearmed++ < 5) {
        expect_equal(timer_arm_after(&own_timer, rearmed * 1000), 0);
    }
}
TIMER(own_timer, rearms);

TEST(a_handler_arms_its_own_timer_again)
{
    rearmed = 0;
    event_post(&rearms);
    sleep_ms(60);
    expect_equal(rearmed, 6);
}

/* Two timers, one event: posts that coincide merge. */
TIMER(other, counted);

TEST(timers_of_one_event_that_are_due_together_run_it_once)
{
    forget();
    uint64_t deadline = time_now_us() + 10000;
    expect_equal(timer_arm(&timer, deadline), 0);
    expect_equal(timer_arm(&other, deadline), 0);
    sleep_until_us(deadline + 5000);
    expect_equal(fired, 1);
}

/* A more urgent thread preempts one that reads the clock, between its request and its taking of the
 * answer, and the last alarm of all fires meanwhile. */
NOTIFY(disturb);
EVENT(wakes_disturber)
{
    notify_post(&disturb);
}
TIMER(disturb_timer, wakes_disturber);
EVENT(reads_nothing)
{
}
TIMER(last_timer, reads_nothing);

THREAD(disturbs, SMALL_STACK, PRIORITY_APP + 1)
{
    for (;;) {
        notify_wait(&disturb);
        for (volatile unsigned i = 0; i < 2500; i++) {
        }
    }
}

TEST(time_read_late_is_old_and_never_wrong)
{
    uint64_t before = time_now_us();
    for (unsigned i = 0; i < 50; i++) {
        uint64_t end = before + 8000;
        expect_equal(timer_arm(&disturb_timer, before + 2000 + 37 * i), 0);
        expect_equal(timer_arm(&last_timer, before + 3000 + 37 * i), 0);
        while (before < end) {
            uint64_t now = time_now_us();
            expect(now >= before);
            expect(now < end + 10000);
            before = now;
        }
    }
}
