/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The sensors of an MTS310, which is missing for a while (input.txt). */
#include <lichen/sensor.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "late.h"
#include "sensed.h"
#include "test.h"

enum {
    ROUND_MS = 500,
    MTS300_US = INT32_C(20000),
    MTS310_US = 17000,
    AROUND_US = 20000, /* conversions, and deadlines that come late after power-save */
    REPEAT_US = 4000,  /* of a value that is kept */
};

static void expect_readings(void)
{
    began = time_now_us();
    expect_near(value_of(&sensor_temperature, SENSOR_NEW), 20000, 300);
    expect(took_us() >= MTS300_US);
    expect(took_us() < (uint32_t)MTS300_US + AROUND_US);
    began = time_now_us();
    expect_near(value_of(&sensor_light, ROUND_MS), 300000, 15000);
    expect(took_us() < REPEAT_US);
    began = time_now_us();
    expect_near(value_of(&sensor_acceleration_x, SENSOR_NEW), 0, 18000);
    expect(took_us() >= MTS310_US);
    expect(took_us() < (uint32_t)MTS310_US + AROUND_US);
    began = time_now_us();
    expect_near(value_of(&sensor_acceleration_y, ROUND_MS), 0, 18000);
    expect(took_us() < REPEAT_US);
}

TEST(light_and_temperature_and_acceleration_are_measured)
{
    expect_readings();
}

TEST(the_supply_is_in_thousandths_of_a_volt)
{
    expect_near(value_of(&sensor_supply, SENSOR_NEW), 3000, 20);
}

TEST(a_sensor_board_that_is_missing_does_not_answer)
{
    int32_t value;

    sleep_until_us(3500 * TIME_US_PER_MS);
    expect_equal(sensor_read(&sensor_temperature, SENSOR_NEW, &value), ERR_EMPTY);
    expect_equal(sensor_read(&sensor_light, ROUND_MS, &value), ERR_EMPTY);
    expect_equal(sensor_read(&sensor_acceleration_x, SENSOR_NEW, &value), ERR_EMPTY);
    sleep_until_us(5500 * TIME_US_PER_MS);
    expect_readings();
}

THREAD_STOPPED(reader, MEDIUM_STACK, PRIORITY_HIGH)
{
    int32_t value;

    for (;;) {
        (void)!sensor_read(&sensor_light, SENSOR_NEW, &value);
    }
}

/* Each shares a pin with the other, so both would have power. */
TEST(whoever_ends_while_a_sensor_has_power_leaves_no_wrong_reading)
{
    for (unsigned ms = 1; ms < 60; ms += 6) {
        expect_equal(thread_start(&reader, 0), 0);
        sleep_ms(ms);
        thread_destroy(&reader);
        expect_near(value_of(&sensor_temperature, SENSOR_NEW), 20000, 300);
    }
}
