/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The clock of a mote whose slow oscillator is far off: `test.seed` of the manifest selects how
 * far, and the edges of input.txt tell the time.
 */
#include <lichen/calibration.h>

#include <lichen/event.h>
#include <lichen/gpio.h>
#include <lichen/init.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>
#include <lichen/timer.h>

#include "test.h"

#define BUTTON GPIO_PIN('A', 18)

/* The crystal deviates by up to 20 ppm, and a measurement resolves 8. An edge is seen, and the
 * clock read, within 1 ms. */
#define EXACT_PPM 30u
#define EDGE_US   1000u

/* A deadline comes up to TIME_LATE_TICKS late, and the time is read after it. */
#define LATE_US 3000u

/* More than a calibration takes, in milliseconds. */
#define CALIBRATION_MS 500u

static SEMAPHORE(edges, 0);

EVENT(edge)
{
    semaphore_post(&edges);
}

static uint64_t time_of_edge(void)
{
    semaphore_wait(&edges);
    return time_now_us();
}

static void expect_seconds(uint64_t from, uint64_t to, unsigned seconds)
{
    uint64_t slack = (uint64_t)seconds * EXACT_PPM + EDGE_US;
    expect(to - from >= seconds * TIME_US_PER_S - slack);
    expect(to - from <= seconds * TIME_US_PER_S + slack);
}

/* Armed before the first calibration, for a time after it. */
#define EARLY_US (UINT64_C(20) * TIME_US_PER_S)

static uint64_t armed_at;
static volatile uint64_t fired_at;

EVENT(early)
{
    fired_at = time_now_us();
}
static TIMER(early_timer, early);

static void arm_early(void)
{
    armed_at = time_now_us();
    if (timer_arm_after(&early_timer, EARLY_US) != 0) {
        armed_at = TIME_NEVER;
    }
    gpio_input(BUTTON, GPIO_PULL_NONE);
    if (gpio_event_on_edge(BUTTON, GPIO_EDGE_BOTH, &edge) != 0) {
        armed_at = TIME_NEVER;
    }
}
INIT(arm_early);

/* Registers of the SAM R21 that only the chip's own code may access otherwise. */
#define PORT_A_OUT    (*(volatile uint32_t *)0x41004410u)
#define SLP_TR_MASK   (UINT32_C(1) << 20)
#define PM_APBCMASK   (*(volatile uint32_t *)0x40000420u)
#define APBCMASK_TCC1 (1u << 9)

/* The radio sleeps, and the counter has no clock. */
static void expect_all_off(void)
{
    expect(PORT_A_OUT & SLP_TR_MASK);
    expect(!(PM_APBCMASK & APBCMASK_TCC1));
}

static uint64_t at_1_s;
static uint64_t at_20_s;

TEST(the_first_calibration_ends_within_300_ms)
{
    struct calibration last;
    sleep_until_us(300 * TIME_US_PER_MS);
    while (semaphore_wait_until(&edges, 0) == 0) { /* what the line was before it was listened to */
    }
    calibration_last(&last);
    expect_equal(last.count, 1);
    expect_equal(last.failed, 0);
    expect(last.ppm >= OFF_PPM - 60);
    expect(last.ppm <= OFF_PPM + 60);
    expect_all_off();
}

TEST(a_deadline_from_before_a_calibration_is_met_after_it)
{
    at_1_s = time_of_edge();
    at_20_s = time_of_edge();
    sleep_ms(2000);
    expect(fired_at - armed_at >= EARLY_US);
    expect(fired_at - armed_at <= EARLY_US + LATE_US);
}

TEST(the_clock_is_as_exact_as_the_crystal)
{
    expect_seconds(at_1_s, at_20_s, 19);
    expect_seconds(at_20_s, time_of_edge(), 100);
}

TEST(a_sleep_is_as_exact_and_not_early)
{
    uint64_t start = time_of_edge();
    sleep_ms(100000);
    uint64_t end = time_now_us();
    expect(end - start >= 100 * TIME_US_PER_S);
    expect(end - start <= 100 * TIME_US_PER_S + LATE_US);
    expect_seconds(start, time_of_edge(), 101);
}

TEST(a_request_calibrates_and_a_second_one_is_refused)
{
    struct calibration before;
    struct calibration after;
    calibration_last(&before);
    expect_equal(calibration_request(), 0);
    expect_equal(calibration_request(), ERR_BUSY);
    sleep_ms(10);
    expect_equal(calibration_request(), ERR_BUSY);
    sleep_ms(CALIBRATION_MS);
    calibration_last(&after);
    expect_equal(after.count, before.count + 1);
    expect(after.ppm <= before.ppm + 8);
    expect(after.ppm >= before.ppm - 8);
}

static volatile unsigned ticked;

EVENT(tick)
{
    ticked++;
}
static TIMER(tick_timer, tick);

/* Other alarms come all the time, and the clock is read all the time. */
TEST(under_load_the_clock_goes_on_and_calibrations_succeed)
{
    struct calibration before;
    struct calibration after;
    calibration_last(&before);
    uint64_t last = time_now_us();
    uint64_t start = last;
    expect_equal(timer_arm_every(&tick_timer, last + 1000, 1300), 0);
    for (unsigned i = 0; i < 5; i++) {
        expect_equal(calibration_request(), 0);
        for (uint64_t end = last + CALIBRATION_MS * TIME_US_PER_MS; last < end;) {
            uint64_t now = time_now_us();
            expect(now >= last);
            last = now;
        }
    }
    expect_equal(timer_cancel(&tick_timer), 0);
    unsigned periods = (unsigned)((last - start) / 1300);
    expect(ticked <= periods + 1);
    expect(ticked + 2 >= periods);
    calibration_last(&after);
    expect_equal(after.count + after.failed, before.count + before.failed + 5);
    expect(after.count >= before.count + 4);
    expect(after.ppm <= before.ppm + 8);
    expect(after.ppm >= before.ppm - 8);
}

TEST(it_calibrates_every_ten_minutes)
{
    struct calibration before;
    struct calibration after;
    calibration_last(&before);
    sleep_ms(2 * (CALIBRATION_PERIOD_S * 1000 + CALIBRATION_MS));
    calibration_last(&after);
    expect_equal(after.count, before.count + 2);
    expect_equal(after.failed, before.failed);
}

TEST(without_its_crystal_it_keeps_what_it_knows)
{
    struct calibration before;
    struct calibration after;
    (void)time_of_edge();
    calibration_last(&before);
    expect_equal(calibration_request(), 0);
    sleep_ms(CALIBRATION_MS);
    calibration_last(&after);
    expect_equal(after.failed, before.failed + 1);
    expect_equal(after.count, before.count);
    expect_equal(after.ppm, before.ppm);
    expect_all_off();
    uint64_t from = time_of_edge();
    expect_equal(calibration_request(), 0);
    sleep_ms(CALIBRATION_MS);
    calibration_last(&after);
    expect_equal(after.count, before.count + 1);
    expect_seconds(from, time_of_edge(), 100);
}

/* At the edge the crystal has 100 ms, stands for 400, and runs again. */
TEST(a_crystal_that_stops_in_a_measurement_fails_it_and_is_measured_again)
{
    struct calibration before;
    struct calibration after;
    (void)time_of_edge();
    calibration_last(&before);
    expect_equal(calibration_request(), 0);
    sleep_ms(CALIBRATION_MS);
    calibration_last(&after);
    expect_equal(after.failed, before.failed + 1);
    expect_equal(after.ppm, before.ppm);
    expect_equal(calibration_request(), 0);
    sleep_ms(CALIBRATION_MS);
    calibration_last(&after);
    expect_equal(after.count, before.count + 1);
    expect_all_off();
}
