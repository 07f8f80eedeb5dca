/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Short periods: each runs the event, although the first alarm ends the deepest sleep, and although
 * reading the time, and a sleep that begins, may take longer than a period.
 */
#include <lichen/event.h>
#include <lichen/thread.h>
#include <lichen/time.h>
#include <lichen/timer.h>

#include "test.h"

#define LENGTH_MS 10500u

struct period {
    struct timer *timer;
    volatile uint16_t *runs;
    uint64_t us;
    uint64_t begun; /* its first deadline, in ticks */
};

static volatile uint16_t runs[2];
static bool reads_time;
static void run(unsigned which)
{
    runs[which]++;
    if (reads_time) {
        (void)time_now_us();
    }
}

EVENT(runs_first)
{
    run(0);
}
EVENT(runs_second)
{
    run(1);
}
TIMER(first, runs_first);
TIMER(second, runs_second);

static struct period begin(struct timer *timer, volatile uint16_t *count, uint64_t us)
{
    *count = 0;
    expect_equal(timer_arm_every(timer, time_now_us() + 20 * TIME_US_PER_MS, us), 0);
    return (struct period){timer, count, us, timer->deadline.tick};
}

/* The deadline that comes next has as many periods before it as have passed. */
static void end(struct period *period)
{
    expect_equal(timer_cancel(period->timer), 0);
    uint64_t parts = (period->timer->deadline.tick - period->begun) * TIME_PARTS_PER_TICK;
    expect(parts != 0);
    expect_equal(*period->runs, parts / (period->us * TIME_PARTS_PER_US));
}

/* The thread sleeps all the while, or again and again. */
static void expect_all(uint64_t us, uint64_t beside_us, uint32_t naps_ms)
{
    struct period one = begin(&first, &runs[0], us);
    struct period other;
    if (beside_us != 0) {
        other = begin(&second, &runs[1], beside_us);
    }
    for (uint32_t ms = 0; ms < LENGTH_MS; ms += naps_ms) {
        sleep_ms(naps_ms);
    }
    end(&one);
    if (beside_us != 0) {
        end(&other);
    }
}

TEST(periods_of_a_tick_lose_no_run)
{
    expect_all(TIMER_PERIOD_MIN_US, 0, LENGTH_MS);
    expect_all(1050, 0, LENGTH_MS);
}

TEST(two_short_periods_lose_no_run)
{
    expect_all(1500, 2300, LENGTH_MS);
}

TEST(short_periods_beside_short_sleeps_and_readings_lose_no_run)
{
    reads_time = true;
    expect_all(1500, 2300, 7);
}
