/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The sensors of a Hamilton besides its HDC1080; two parts fail at set times (input.txt). */
#include <lichen/sensor.h>
#include <lichen/time.h>

#include "late.h"
#include "sensed.h"
#include "sleep_mode.h"
#include "test.h"

enum {
    ROUND_MS = 500,
    TMP006_US = 250000,
    FXOS8700CQ_US = 7000,
    AROUND_US = 8000,
    REPEAT_US = 1500, /* of a value that is kept */
};

static void expect_readings_of_fxos8700cq(void)
{
    began = time_now_us();
    expect_near(value_of(&sensor_acceleration_x, SENSOR_NEW), 0, 250);
    expect(took_us() >= FXOS8700CQ_US);
    expect(took_us() < FXOS8700CQ_US + LATE_US + AROUND_US);
    began = time_now_us();
    expect_near(value_of(&sensor_acceleration_y, ROUND_MS), 0, 250);
    expect(took_us() < REPEAT_US);
    expect_near(value_of(&sensor_acceleration_z, ROUND_MS), 1000000, 250);
    expect_near(value_of(&sensor_magnetic_x, ROUND_MS), 20000, 100);
    expect_near(value_of(&sensor_magnetic_y, ROUND_MS), 0, 100);
    expect_near(value_of(&sensor_magnetic_z, ROUND_MS), -44000, 100);
    expect_near(value_of(&sensor_temperature_2, ROUND_MS), 20000, 960);
}

static void expect_readings_of_tmp006(void)
{
    began = time_now_us();
    expect_near(value_of(&sensor_radiant_temperature, SENSOR_NEW), 20000, 100);
    expect(took_us() >= TMP006_US);
    expect(took_us() < TMP006_US + LATE_US + AROUND_US);
    began = time_now_us();
    expect_near(value_of(&sensor_temperature_1, ROUND_MS), 20000, 32);
    expect(took_us() < REPEAT_US);
}

TEST(the_fxos8700cq_measures_acceleration_and_magnetic_field_at_once)
{
    sleep_ms(20);
    expect_equal(sensor_start(&sensor_magnetic_x), 0);
    expect_readings_of_fxos8700cq();
    expect(same_text(sensor_part(&sensor_magnetic_x), "FXOS8700CQ"));
}

TEST(the_tmp006_measures_what_radiates_and_itself_at_once)
{
    expect_equal(sensor_start(&sensor_radiant_temperature), 0);
    expect_readings_of_tmp006();
    expect(same_text(sensor_part(&sensor_radiant_temperature), "TMP006"));
}

TEST(a_radiant_temperature_has_two_words_of_which_one_is_the_parts_own)
{
    uint16_t both[SENSOR_RAW_WORDS], own;

    expect_equal(sensor_raw_words(&sensor_radiant_temperature), 2);
    expect_equal(sensor_read_raw(&sensor_radiant_temperature, SENSOR_ANY_AGE, both), 0);
    expect_equal(sensor_read_raw(&sensor_temperature_1, SENSOR_ANY_AGE, &own), 0);
    expect_equal(both[1], own);
    expect_equal(own, 20 * 128);
}

TEST(the_apds9007_measures_light_when_it_has_settled)
{
    expect_near(value_of(&sensor_light, SENSOR_NEW), 300000, 3000);
}

TEST(the_supply_is_in_thousandths_of_a_volt)
{
    expect_near(value_of(&sensor_supply, SENSOR_NEW), 3300, 20);
}

TEST(every_sensor_of_the_board_is_listed)
{
    const struct sensor *sensor;
    unsigned count = 0;

    while ((sensor = sensor_at(count)) != 0) {
        (void)value_of(sensor, SENSOR_ANY_AGE);
        count++;
    }
    expect_equal(count, 13);
    expect_equal((uintptr_t)sensor_at(count + 1), 0);
    sleep_ms(20);
    sleep_ms(1);
    expect_equal(sleep_mode(), SLEEP_DEEPEST);
}

static void expect_failures(int wanted)
{
    int32_t value;

    expect_equal(sensor_read(&sensor_acceleration_x, SENSOR_NEW, &value), wanted);
    expect_equal(sensor_read(&sensor_magnetic_z, SENSOR_ANY_AGE, &value), wanted);
    expect_equal(sensor_read(&sensor_radiant_temperature, SENSOR_NEW, &value), wanted);
    expect_equal(sensor_start(&sensor_acceleration_x), wanted);
    expect_equal(sensor_start(&sensor_radiant_temperature), wanted);
}

TEST(parts_that_are_missing_do_not_answer_and_the_others_do)
{
    sleep_until_us(5000 * TIME_US_PER_MS);
    expect_equal(sensor_start(&sensor_acceleration_x), ERR_EMPTY); /* it has been started */
    expect_failures(ERR_EMPTY);
    expect_near(value_of(&sensor_temperature, SENSOR_NEW), 20000, 10);
    sleep_until_us(7000 * TIME_US_PER_MS);
    expect_readings_of_fxos8700cq();
    expect_readings_of_tmp006();
}

TEST(nonsense_is_an_error)
{
    sleep_until_us(8500 * TIME_US_PER_MS);
    expect_failures(ERR_IO);
    sleep_until_us(10500 * TIME_US_PER_MS);
    expect_readings_of_fxos8700cq();
    expect_readings_of_tmp006();
}

/* The part has been started, so only its results tell. */
TEST(no_nonsense_is_taken_for_a_temperature)
{
    unsigned refused = 0;

    for (uint32_t second = 12; second < 22; second++) {
        int32_t value = 0;
        sleep_until_us((second * 1000 + 100) * TIME_US_PER_MS);
        int error = sensor_read(&sensor_radiant_temperature, SENSOR_NEW, &value);
        expect(error == ERR_IO || (error == 0 && value >= -150000 && value < 500000));
        refused += error == ERR_IO;
        sleep_until_us((second * 1000 + 500) * TIME_US_PER_MS);
        expect_near(value_of(&sensor_radiant_temperature, SENSOR_NEW), 20000, 100);
    }
    expect(refused > 0);
}
