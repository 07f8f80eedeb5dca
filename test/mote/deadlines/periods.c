/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Periodic timers over any number of periods: the n-th moment is the first one plus n periods,
 * rounded up to a tick once, and the next moment is the first that has not been reached.
 */
#include <lichen/time.h>
#include <lichen/timer.h>

#include "exact.h"
#include "played_clock.h"
#include "random.h"
#include "ticks_of_chip.h"
#include "test.h"

static unsigned fired;
EVENT(comes)
{
    fired++;
}
TIMER(row_timer, comes);

/* A row of moments: the first one, and how many periods after it the next one is. */
struct row {
    uint64_t first; /* tick */
    uint64_t period_us;
    uint64_t number;
};

static uint64_t moment(const struct row *row)
{
    return row->first + tick_of(row->number * row->period_us);
}

/* Advances to the first moment after a tick. */
static void go_beyond(struct row *row, uint64_t reached)
{
    uint64_t us = (reached - row->first) / EXACT_TICKS * 15625u;
    if (us / row->period_us > row->number) {
        row->number = us / row->period_us;
    }
    while (moment(row) <= reached) {
        row->number++;
    }
}

static void expect_next(struct row *row, uint64_t late)
{
    uint64_t reached = moment(row) + late;
    fired = 0;
    unsigned alarms = played.alarms;
    played_alarm(reached);
    go_beyond(row, reached);
    expect_equal(fired, 1);
    expect_equal(played.alarms, alarms + 1);
    expect_equal((int64_t)played.alarm, (int64_t)moment(row));
}

static struct row begin(uint64_t first_us, uint64_t period_us)
{
    expect_equal(timer_arm_every(&row_timer, first_us, period_us), 0);
    expect_equal(timer_arm_every(&row_timer, first_us, period_us), ERR_BUSY);
    struct row row = {.first = tick_of(first_us), .period_us = period_us};
    expect_equal((int64_t)played.alarm, (int64_t)moment(&row));
    return row;
}

static void end(void)
{
    expect_equal(timer_cancel(&row_timer), 0);
    expect_equal(timer_cancel(&row_timer), ERR_EMPTY);
    played_alarm(played.alarm);
    expect(played.alarm == PLAYED_NO_ALARM);
}

/* Some periods are a whole number of ticks; for others, the rounding excess of many periods is. */
static const uint64_t periods_us[] = {NEARLY_A_TICK_LONGER_US,
                                      TIMER_PERIOD_MIN_US,
                                      1001,
                                      1009,
                                      5000,
                                      10000,
                                      15624,
                                      15625,
                                      15626,
                                      31250,
                                      1000000,
                                      TIMER_PERIOD_MAX_US - 1,
                                      TIMER_PERIOD_MAX_US};
#define PERIODS (sizeof(periods_us) / sizeof(periods_us[0]))

TEST(each_period_ends_at_its_tick)
{
    for (unsigned i = 0; i < PERIODS; i++) {
        struct row row = begin(1000000, periods_us[i]);
        for (unsigned n = 0; n < 130; n++) {
            expect_next(&row, 0);
            expect_equal(timer_arm_every(&row_timer, 0, 2345), ERR_BUSY); /* and changes nothing */
        }
        end();
    }
}

static uint64_t random_period(void)
{
    if (random_below(2) == 0) {
        return periods_us[random_below(PERIODS)];
    }
    return TIMER_PERIOD_MIN_US + random_of(36);
}

/* Late by a tick, by many periods, or until exactly a later moment. */
TEST(moments_that_were_missed_are_passed_over)
{
    for (unsigned i = 0; i < TRIES(50); i++) {
        struct row row = begin(random_of(40), random_period());
        for (unsigned n = 0; n < 25; n++) {
            struct row later = row;
            later.number += random_below(300);
            uint64_t whole = moment(&later) - moment(&row);
            expect_next(&row, random_below(2) == 0 ? whole : random_of(38));
        }
        end();
    }
}

/* So many at a time that for each number the rounding excess adds up to a whole tick. */
TEST(some_periods_at_a_time_end_at_their_tick)
{
    for (unsigned periods = 2; periods < 8; periods++) {
        struct row row = begin(1000000, TIMER_PERIOD_MIN_US);
        for (unsigned n = 0; n < 130; n++) {
            struct row later = row;
            later.number += periods - 1;
            expect_next(&row, moment(&later) - moment(&row));
        }
        end();
    }
}

TEST(two_periods_that_are_nearly_a_tick_too_long_end_at_their_tick)
{
    struct row row = begin(1000000, TWICE_NEARLY_A_TICK_LONGER_US);
    struct row later = row;
    later.number++;
    expect_next(&row, moment(&later) - moment(&row));
    expect_next(&row, 0);
    end();
}

/* Where 32 bits of ticks wrap, also in the middle of the addition. */
TEST(periods_pass_the_wrap)
{
    for (unsigned before = 0; before < TRIES(200); before++) {
        struct row row = begin(us_of((UINT64_C(1) << 32) - before), TIMER_PERIOD_MIN_US);
        for (unsigned n = 0; n < 7; n++) {
            expect_next(&row, 0);
        }
        end();
    }
    struct row row = begin(1000000, us_of(LONG_PERIOD_TICKS) - 1u); /* rounded up */
    for (unsigned n = 0; n < 4; n++) {
        expect_next(&row, UINT64_C(1) << 36);
    }
    end();
}

TEST(lengths_that_are_no_period_are_refused)
{
    static const uint64_t wrong[] = {
        0, 1, TIMER_PERIOD_MIN_US - 1, TIMER_PERIOD_MAX_US + 1, UINT64_C(1) << 40, TIME_NEVER};
    for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        expect_equal(timer_arm_every(&row_timer, 0, wrong[i]), ERR_INVALID);
        expect_equal(timer_cancel(&row_timer), ERR_EMPTY);
    }
}

TEST(a_row_that_begins_at_no_time_at_all_never_comes)
{
    expect_equal(timer_arm_every(&row_timer, TIME_NEVER, 1000), 0);
    expect(played.alarm == PLAYED_NO_ALARM);
    expect_equal(timer_cancel(&row_timer), 0);
}
