/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Values of sensors, and how long they take. */
#ifndef TEST_MOTE_FRAME_SENSED_H
#define TEST_MOTE_FRAME_SENSED_H

#include <stdint.h>

#include <lichen/sensor.h>
#include <lichen/time.h>

#include "test.h"

static uint64_t began; /* set before a reading */

static inline uint32_t took_us(void)
{
    return (uint32_t)(time_now_us() - began);
}

static inline int32_t value_of(const ARCH_FLASH struct sensor *sensor, uint32_t max_age_ms)
{
    int32_t value = INT32_MIN;

    expect_equal(sensor_read(sensor, max_age_ms, &value), 0);
    return value;
}

static inline void expect_near(int32_t value, int32_t wanted, int32_t off)
{
    expect(value >= wanted - off);
    expect(value <= wanted + off);
}

#endif
