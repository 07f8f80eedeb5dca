/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Each driver's conversion of one raw value in seven, as a sum, and the host's (expected.h, which
 * `lichen generate` writes).
 */
#include "driver/sensor/apds9007.h"
#include "driver/sensor/fxos8700cq.h"
#include "driver/sensor/hdc1080.h"
#include "driver/sensor/mts.h"
#include "driver/sensor/supply.h"
#include "driver/sensor/tmp006.h"

#include "expected.h"
#include "test.h"

/* Where a raw value has two words, the second one takes a sample of its values. */
static uint32_t sum(const ARCH_FLASH struct sensor_driver *driver, uint8_t reading)
{
    uint32_t total = 0;

    for (uint32_t raw = 0; raw <= UINT16_MAX; raw += 7) {
        uint16_t words[] = {(uint16_t)raw, (uint16_t)(raw * 40503u & 0xfffcu)};
        total = total * 31 + (uint32_t)driver->convert(words, reading);
    }
    return total;
}

TEST(hdc1080)
{
    expect_equal(sum(&hdc1080_driver, HDC1080_TEMPERATURE), EXPECTED_HDC1080_TEMPERATURE);
    expect_equal(sum(&hdc1080_driver, HDC1080_HUMIDITY), EXPECTED_HDC1080_HUMIDITY);
}

TEST(fxos8700cq)
{
    const ARCH_FLASH struct sensor_driver *part = &fxos8700cq_driver;

    expect_equal(sum(part, FXOS8700CQ_ACCELERATION_X), EXPECTED_FXOS8700CQ_ACCELERATION_X);
    expect_equal(sum(part, FXOS8700CQ_ACCELERATION_Z), EXPECTED_FXOS8700CQ_ACCELERATION_Z);
    expect_equal(sum(part, FXOS8700CQ_MAGNETIC_X), EXPECTED_FXOS8700CQ_MAGNETIC_X);
    expect_equal(sum(part, FXOS8700CQ_MAGNETIC_Z), EXPECTED_FXOS8700CQ_MAGNETIC_Z);
    expect_equal(sum(part, FXOS8700CQ_TEMPERATURE), EXPECTED_FXOS8700CQ_TEMPERATURE);
}

TEST(tmp006)
{
    const ARCH_FLASH struct sensor_driver *part = &tmp006_driver;

    expect_equal(sum(part, TMP006_RADIANT_TEMPERATURE), EXPECTED_TMP006_RADIANT_TEMPERATURE);
    expect_equal(sum(part, TMP006_TEMPERATURE), EXPECTED_TMP006_TEMPERATURE);
}

TEST(analog_parts)
{
    expect_equal(sum(&apds9007_driver, APDS9007_LIGHT), EXPECTED_APDS9007_LIGHT);
    expect_equal(sum(&supply_driver, SUPPLY_VOLTAGE), EXPECTED_SUPPLY_SUPPLY);
    expect_equal(sum(&mts300_driver, MTS300_TEMPERATURE), EXPECTED_MTS300_TEMPERATURE);
    expect_equal(sum(&mts300_driver, MTS300_LIGHT), EXPECTED_MTS300_LIGHT);
    expect_equal(sum(&mts310_driver, MTS310_ACCELERATION_X), EXPECTED_MTS310_ACCELERATION_X);
    expect_equal(sum(&mts310_driver, MTS310_ACCELERATION_Y), EXPECTED_MTS310_ACCELERATION_Y);
}
