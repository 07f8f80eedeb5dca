/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* When calibrations are made, and which measurements count: the driver, with marks that the test
 * gives it in place of the chip's.
 */
#include "driver/calibration/calibration.c"

#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "late.h"
#include "test.h"

#define HALF_COUNTS 4096u
#define US_MASK     ((UINT32_C(1) << CHIP_CALIBRATION_US_BITS) - 1)

/* What the chip finds: whether there is a match at each step, and the marks. */
static struct calibration_mark found[MARKS];
static unsigned missing[MARKS]; /* so many matches are missing before each mark */
static bool is_stopped;

/* What the driver has done. */
static unsigned wakes, begins, ends, applied, taken, looks;
static int32_t applied_excess;
static uint64_t woken_us, begun_us, mark_us[MARKS];

static SEMAPHORE(ended, 0);

void chip_calibration_wake(void)
{
    woken_us = time_now_us();
    wakes++;
    taken = 0;
    looks = 0;
}

void chip_calibration_begin(void)
{
    begun_us = time_now_us();
    begins++;
}

bool chip_calibration_mark(struct calibration_mark *mark)
{
    if (is_stopped || taken == MARKS || looks++ < missing[taken]) {
        return false;
    }
    looks = 0;
    mark_us[taken] = time_now_us();
    *mark = found[taken++];
    return true;
}

void chip_calibration_end(void)
{
    ends++;
    semaphore_post(&ended);
}

void chip_calibration_apply(int32_t excess)
{
    applied_excess = excess;
    applied++;
}

/* Marks of two halves, so long by the counter of ticks and by the crystal. */
static void find(uint32_t first_counts, uint32_t first_us, uint32_t second_counts,
                 uint32_t second_us)
{
    found[1].count = found[0].count + first_counts;
    found[1].us = (found[0].us + first_us) & US_MASK;
    found[2].count = found[1].count + second_counts;
    found[2].us = (found[1].us + second_us) & US_MASK;
}

static void find_halves(uint32_t first_us, uint32_t second_us)
{
    find(HALF_COUNTS, first_us, HALF_COUNTS, second_us);
}

/* Calibrates with what is found. */
static struct calibration calibrate(void)
{
    struct calibration last;

    expect_equal(calibration_request(), 0);
    semaphore_wait(&ended);
    calibration_last(&last);
    return last;
}

static void expect_refused(void)
{
    struct calibration before, after;
    unsigned applied_before = applied;

    calibration_last(&before);
    after = calibrate();
    expect_equal(after.failed, before.failed + 1);
    expect_equal(after.count, before.count);
    expect_equal(after.ppm, before.ppm);
    expect_equal(applied, applied_before);
}

static void expect_accepted(int32_t ppm)
{
    struct calibration before, after;
    unsigned applied_before = applied;

    calibration_last(&before);
    after = calibrate();
    expect_equal(after.count, before.count + 1);
    expect_equal(after.failed, before.failed);
    expect_equal(after.ppm, ppm);
    expect_equal(applied, applied_before + 1);
}

/* Of the driver's own first one nothing is found. */
TEST(the_first_one_begins_at_once)
{
    semaphore_wait(&ended);
    expect_equal(wakes, 1);
    expect(woken_us < 5000);
}

TEST(marks_are_taken_a_half_apart)
{
    find_halves(125000, 125000);
    expect_accepted(0);
    expect(begun_us - woken_us >= CHIP_CALIBRATION_WAKE_US);
    expect(begun_us - woken_us < CHIP_CALIBRATION_WAKE_US + LATE_US + 1000);
    expect(mark_us[1] - mark_us[0] >= 125000);
    expect(mark_us[1] - mark_us[0] < 125000 + LATE_US + 1000);
    expect(mark_us[2] - mark_us[1] >= 125000);
    expect(mark_us[2] - mark_us[1] < 125000 + LATE_US + 1000);
    expect_equal(applied_excess, 0);
}

/* 130,000 us for 8,192 counts of 125,000: 40,000 ppm, and 0.04 of 2^32. */
TEST(the_excess_is_that_of_both_halves)
{
    find_halves(130000, 130000);
    expect_accepted(40000);
    expect_equal(applied_excess, 171798691);
    find_halves(120000, 120000);
    expect_accepted(-40000);
    expect_equal(applied_excess, -171798691);
    find_halves(125000, 125003);
    expect_accepted(12);
    expect_equal(applied_excess, 51539);
}

TEST(counters_that_wrap_in_between_do_not_matter)
{
    found[0].count = UINT32_MAX - HALF_COUNTS / 2;
    found[0].us = US_MASK - 130000 - 5;
    find_halves(130000, 130000);
    expect_accepted(40000);
    found[0].count = 0;
    found[0].us = 0;
}

TEST(halves_that_disagree_are_refused)
{
    find_halves(125000, 125003); /* 24 ppm apart */
    expect_accepted(12);
    find_halves(125003, 125000);
    expect_accepted(12);
    find_halves(125000, 125004);
    expect_refused();
    find_halves(125004, 125000);
    expect_refused();
}

TEST(what_no_oscillator_can_be_off_is_refused)
{
    find_halves(137499, 137499);
    expect_accepted(99992);
    find_halves(137500, 137500);
    expect_refused();
    find_halves(112501, 112501);
    expect_accepted(-99992);
    find_halves(112500, 112500);
    expect_refused();
}

/* Both clocks say the same, but 32 bits of their product do not hold it. */
TEST(halves_that_took_too_long_are_refused)
{
    find(32768, 1000000, 32768, 1000000);
    expect_accepted(0);
    find(32769, 1000031, 4096, 125000);
    expect_refused();
    find(4096, 125000, 32769, 1000031);
    expect_refused();
    find(137500, 4196167, 137500, 4196167);
    expect_refused();
}

/* The middle mark is a match just after the first one: the next one is taken in its place. */
TEST(a_mark_that_is_too_near_is_not_taken)
{
    found[1] = (struct calibration_mark){.count = 2047, .us = 62469};
    found[2] = (struct calibration_mark){.count = 4096, .us = 125000};
    expect_refused();
    found[1] = (struct calibration_mark){.count = 2048, .us = 62500};
    found[2] = (struct calibration_mark){.count = 4096, .us = 125000};
    expect_accepted(0);
}

TEST(marks_that_are_missing_are_looked_for_again_eight_times_in_all)
{
    find_halves(125000, 125000);
    missing[0] = 3;
    missing[1] = 4;
    missing[2] = 1;
    expect_accepted(0);
    missing[2] = 2;
    expect_refused();
    missing[2] = 1;
    expect_accepted(0);
    missing[0] = missing[1] = missing[2] = 0;
}

TEST(while_one_is_under_way_another_one_is_refused)
{
    expect_equal(calibration_request(), 0);
    expect_equal(calibration_request(), ERR_BUSY);
    sleep_ms(50);
    expect_equal(calibration_request(), ERR_BUSY);
    semaphore_wait(&ended);
    expect_equal(begins, ends);
}

static uint32_t seconds_until_the_next(void)
{
    uint64_t before = time_now_us();
    unsigned wakes_before = wakes;

    while (wakes == wakes_before) {
        sleep_ms(50);
    }
    uint64_t passed = woken_us - before;
    semaphore_wait(&ended);
    return (uint32_t)(passed / TIME_US_PER_MS + 50) / 1000;
}

/* A request in between does not add to them. */
TEST(the_next_one_is_ten_minutes_after_the_last)
{
    expect_accepted(0);
    expect_equal(seconds_until_the_next(), 600);
    sleep_ms(100000);
    expect_accepted(0);
    expect_equal(seconds_until_the_next(), 600);
}

TEST(one_that_fails_is_tried_again_after_ten_seconds_and_then_ever_later)
{
    static const uint16_t pauses[] = {10, 20, 40, 80, 160, 320, 600, 600};

    is_stopped = true;
    expect_refused();
    for (unsigned i = 0; i < sizeof(pauses) / sizeof(pauses[0]); i++) {
        expect_equal(seconds_until_the_next(), pauses[i]);
    }
    is_stopped = false;
    expect_accepted(0);
    expect_equal(seconds_until_the_next(), 600);
    is_stopped = true;
    expect_refused();
    expect_equal(seconds_until_the_next(), 10);
}
