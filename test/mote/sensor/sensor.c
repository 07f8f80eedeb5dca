/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The sensor interface with an HDC1080, which fails at set times (input.txt). */
#include <lichen/i2c.h>
#include <lichen/semaphore.h>
#include <lichen/sensor.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "hdc1080_of_chip.h"
#include "late.h"
#include "sensed.h"
#include "sleep_mode.h"
#include "test.h"

enum {
    ADDRESS = 0x40,
    MEASURING_US = 12850,
    START_UP_US = 15000,
    /* What an activation takes at most: its transfers of 5 addresses and bytes, and its sleep. */
    AROUND_US = 3000,
    PATIENCE_US = 53000,
};

static void begin_to_measure(void)
{
    began = time_now_us();
}

static bool has_activated(void)
{
    return took_us() >= MEASURING_US;
}

/* 20 degrees and 50 %, in 14 bits. */
static void expect_temperature(uint32_t max_age_ms)
{
    int32_t value = 0;

    expect_equal(sensor_read(&HDC1080_TEMPERATURE_SENSOR, max_age_ms, &value), 0);
    expect_equal(value, 19991);
}

static void expect_humidity(uint32_t max_age_ms)
{
    int32_t value = 0;

    expect_equal(sensor_read(&sensor_humidity, max_age_ms, &value), 0);
    expect_equal(value, 50000);
}

TEST(the_first_reading_starts_and_measures)
{
    begin_to_measure();
    expect_temperature(SENSOR_ANY_AGE);
    expect(has_activated());
    expect(took_us() < START_UP_US + MEASURING_US + LATE_US + LATE_US + 2 * AROUND_US);
}

TEST(what_was_not_asked_for_is_kept_and_costs_nothing)
{
    begin_to_measure();
    expect_humidity(1000);
    expect_temperature(1000);
    expect_humidity(SENSOR_ANY_AGE);
    expect(took_us() < MEASURING_US / 2);
}

TEST(what_is_too_old_is_measured_again)
{
    sleep_ms(60);
    begin_to_measure();
    expect_humidity(60);
    expect(has_activated());
    expect(took_us() < MEASURING_US + LATE_US + AROUND_US);
    begin_to_measure();
    expect_temperature(60);
    expect(!has_activated());
}

TEST(a_new_value_is_measured_whatever_there_is)
{
    begin_to_measure();
    expect_temperature(SENSOR_NEW);
    expect(has_activated());
}

TEST(an_age_counts_from_the_beginning_of_the_activation)
{
    expect_temperature(SENSOR_NEW);
    begin_to_measure();
    expect_humidity(MEASURING_US / 1000);
    expect(has_activated());
}

TEST(a_raw_value_is_what_the_part_has_put_out)
{
    uint16_t raw[SENSOR_RAW_WORDS];

    expect_equal(sensor_raw_words(&sensor_humidity), 1);
    expect_equal(sensor_read_raw(&sensor_humidity, SENSOR_ANY_AGE, raw), 0);
    expect_equal(raw[0], 0x8000);
    expect_equal(sensor_read_raw(&HDC1080_TEMPERATURE_SENSOR, SENSOR_ANY_AGE, raw), 0);
    expect_equal(raw[0], 0x5d14);
}

TEST(sensors_have_names_and_values_texts)
{
    char text[SENSOR_TEXT_SIZE];

    expect(same_text(sensor_part(&sensor_humidity), "HDC1080"));
    expect(same_text(sensor_name(&sensor_humidity), "humidity"));
    expect_equal(sensor_text(&HDC1080_TEMPERATURE_SENSOR, -40000, text), 9);
    expect(same_text(text, "-40.000 C"));
    expect_equal(sensor_text(&HDC1080_TEMPERATURE_SENSOR, -7, text), 8);
    expect(same_text(text, "-0.007 C"));
}

TEST(afterwards_nothing_prevents_sleep)
{
    sleep_ms(20);
    expect_temperature(SENSOR_NEW);
    sleep_ms(6);
    expect_equal(sleep_mode(), SLEEP_DEEPEST);
}

static SEMAPHORE(go, 0);
static SEMAPHORE(done, 0);

static void read_humidity(uint32_t max_age_ms)
{
    semaphore_wait(&go);
    expect_humidity(max_age_ms);
    (void)semaphore_post(&done);
}

THREAD(other, LARGE_STACK, PRIORITY_APP + 1)
{
    for (;;) {
        read_humidity(SENSOR_NEW);
    }
}

THREAD(another, LARGE_STACK, PRIORITY_APP + 2)
{
    for (;;) {
        read_humidity(1);
    }
}

TEST(threads_that_want_the_same_part_share_an_activation)
{
    begin_to_measure();
    (void)semaphore_post(&go);
    (void)semaphore_post(&go);
    expect_temperature(SENSOR_NEW);
    semaphore_wait(&done);
    semaphore_wait(&done);
    expect(took_us() < MEASURING_US + LATE_US + AROUND_US);
}

THREAD_STOPPED(reader, LARGE_STACK, PRIORITY_APP + 1)
{
    int32_t value;

    (void)!sensor_read(&sensor_humidity, SENSOR_NEW, &value);
    semaphore_wait(&go);
}

TEST(a_thread_that_ends_while_it_measures_leaves_a_part_that_works)
{
    for (unsigned delay_ms = 1; delay_ms < 16; delay_ms += 7) {
        (void)thread_start(&reader, 0);
        sleep_ms(delay_ms);
        thread_destroy(&reader);
        expect_temperature(SENSOR_ANY_AGE);
        begin_to_measure();
        expect_humidity(1000);
        expect(!has_activated());
    }
}

TEST(a_part_that_is_stopped_is_started_by_the_next_reading)
{
    expect_equal(sensor_stop(&sensor_humidity), 0);
    begin_to_measure();
    expect_temperature(SENSOR_ANY_AGE);
    expect(has_activated());
    expect_equal(sensor_start(&sensor_humidity), 0);
    begin_to_measure();
    expect_humidity(SENSOR_ANY_AGE);
    expect(!has_activated());
}

static void expect_failure(uint32_t max_age_ms, int wanted)
{
    int32_t value = 12345;

    expect_equal(sensor_read(&sensor_humidity, max_age_ms, &value), wanted);
    expect_equal(value, 12345);
}

TEST(a_part_that_is_missing_does_not_answer)
{
    sleep_until_us(2500 * TIME_US_PER_MS);
    expect_humidity(SENSOR_ANY_AGE);
    begin_to_measure();
    expect_failure(SENSOR_NEW, ERR_EMPTY);
    expect(took_us() < START_UP_US + LATE_US + AROUND_US);
    expect_equal(sensor_start(&sensor_humidity), ERR_EMPTY);
    sleep_ms(6);
    expect_equal(sleep_mode(), SLEEP_DEEPEST);
}

TEST(a_failure_is_kept_as_long_as_a_value_would_be)
{
    begin_to_measure();
    expect_failure(1000, ERR_EMPTY);
    expect_failure(SENSOR_ANY_AGE, ERR_EMPTY);
    expect(took_us() < AROUND_US);
    sleep_until_us(3100 * TIME_US_PER_MS);
    expect_failure(1000, ERR_EMPTY);
    expect_humidity(100);
}

TEST(a_bus_that_is_stuck_ends_a_reading_in_time)
{
    sleep_until_us(4100 * TIME_US_PER_MS);
    begin_to_measure();
    expect_failure(SENSOR_NEW, ERR_TIMEOUT);
    expect(took_us() < PATIENCE_US + LATE_US + AROUND_US);
    expect_failure(1000, ERR_TIMEOUT);
    sleep_until_us(5100 * TIME_US_PER_MS);
    expect_humidity(SENSOR_NEW);
}

TEST(nonsense_is_an_error_and_so_is_another_part)
{
    sleep_until_us(6100 * TIME_US_PER_MS);
    expect_failure(SENSOR_NEW, ERR_IO);
    expect_equal(sensor_start(&sensor_humidity), ERR_IO);
    expect_failure(SENSOR_NEW, ERR_IO);
    sleep_until_us(7100 * TIME_US_PER_MS);
    expect_temperature(SENSOR_NEW);
}
