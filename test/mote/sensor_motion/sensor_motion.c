/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The sensor of motion, wired as a board would. Motion is what input.txt presses. */
#include <lichen/gpio.h>
#include <lichen/sensor.h>
#include <lichen/time.h>

#include "driver/sensor/ekmb110.h"

#include "motion_of_chip.h"
#include "sleep_mode.h"
#include "test.h"

EKMB110_DEVICE(ekmb110, MOTION_PIN);
SENSOR(motion, ekmb110, SENSOR_MOTION, EKMB110_MOTION);

static void sleep_until_ms(uint32_t ms)
{
    sleep_until_us(ms * TIME_US_PER_MS);
}

static void expect_motion(uint32_t max_age_ms, int32_t wanted)
{
    int32_t value = -1;

    expect_equal(sensor_read(&sensor_motion, max_age_ms, &value), 0);
    expect_equal(value, wanted);
}

TEST(nothing_moves)
{
    expect_equal(sensor_start(&sensor_motion), 0);
    expect_motion(SENSOR_NEW, 0);
    sleep_until_ms(1000);
    expect_motion(SENSOR_NEW, 0);
    sleep_until_ms(1500);
    expect_equal(sleep_mode(), SLEEP_AT_REST);
}

TEST(a_motion_that_is_over_is_reported_once)
{
    sleep_until_ms(3000);
    expect_equal(sensor_start(&sensor_motion), 0); /* again: it forgets nothing */
    expect_motion(SENSOR_NEW, 1);
    expect_motion(1000, 1);
    expect_motion(SENSOR_NEW, 0);
}

TEST(a_motion_that_lasts_is_reported_each_time)
{
    sleep_until_ms(4500);
    expect_motion(SENSOR_NEW, 1);
    expect_motion(SENSOR_NEW, 1);
    sleep_until_ms(6500);
    expect_motion(SENSOR_NEW, 0);
}

TEST(values_are_0_or_1_and_have_no_unit)
{
    char text[SENSOR_TEXT_SIZE];

    expect_equal(sensor_text(&sensor_motion, 1, text), 1);
    expect(same_text(text, "1"));
    expect(same_text(sensor_name(&sensor_motion), "motion"));
}

TEST(what_is_stopped_notices_nothing)
{
    expect_equal(sensor_stop(&sensor_motion), 0);
    expect_motion(SENSOR_NEW, 0);
}
