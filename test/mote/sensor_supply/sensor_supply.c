/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An HDC1080 on a played bus, which gets its supply when it is asked, and keeps the times of its
 * data sheet (SNAS672). */
#include <lichen/i2c.h>
#include <lichen/sensor.h>
#include <lichen/time.h>

#include <string.h>

#include "test.h"

enum {
    START_UP_US = 15000,
    MEASURING_US = 6350 + 6500,
    RESULTS = 0x00, /* pointers to registers */
    IDENTITY = 0xfe,
};

static uint64_t ready_us;    /* from then on the part answers */
static bool gets_its_supply; /* when it is asked next */
static bool is_measuring;

int i2c_write_read(uint8_t address, const void *out, size_t out_length, void *in, size_t in_length)
{
    static const uint8_t identity[] = {0x54, 0x49, 0x10, 0x50};
    const uint8_t *pointer = out;

    (void)address;
    if (gets_its_supply) {
        gets_its_supply = false;
        ready_us = time_now_us() + START_UP_US;
    }
    if (time_now_us() < ready_us) {
        return ERR_EMPTY;
    }
    if (out_length == 1 && in_length == 0 && *pointer == RESULTS) {
        is_measuring = true;
        ready_us = time_now_us() + MEASURING_US;
    } else if (out_length == 1 && *pointer == IDENTITY) {
        memcpy(in, identity, sizeof(identity));
    } else if (out_length == 0) {
        memset(in, is_measuring ? 0x40 : 0xff, in_length);
        is_measuring = false;
    }
    return 0;
}

TEST(a_part_that_has_just_got_its_supply_is_read)
{
    int32_t value;

    gets_its_supply = true;
    expect_equal(sensor_read(&sensor_humidity, SENSOR_NEW, &value), 0);
}

TEST(a_part_without_supply_is_missing)
{
    int32_t value;

    (void)sensor_stop(&sensor_humidity);
    ready_us = TIME_NEVER;
    expect_equal(sensor_read(&sensor_humidity, SENSOR_NEW, &value), ERR_EMPTY);
}
