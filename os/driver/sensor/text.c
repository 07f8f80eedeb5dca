/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Values of sensors as text. */
#include <lichen/sensor.h>

#include <lichen/print.h>

#include "driver/sensor/device.h"

struct quantity {
    const char *name; /* texts */
    const char *unit;
    uint8_t decimals;
};

#define NAMED(name_, text_) static const char name_[] ARCH_TEXT_PLACED(name_) = text_

NAMED(temperature, "temperature");
NAMED(humidity, "humidity");
NAMED(radiant_temperature, "radiant_temperature");
NAMED(light, "light");
NAMED(acceleration_x, "acceleration_x");
NAMED(acceleration_y, "acceleration_y");
NAMED(acceleration_z, "acceleration_z");
NAMED(magnetic_x, "magnetic_x");
NAMED(magnetic_y, "magnetic_y");
NAMED(magnetic_z, "magnetic_z");
NAMED(motion, "motion");
NAMED(supply, "supply");
NAMED(celsius, "C");
NAMED(percent, "%");
NAMED(lux, "lx");
NAMED(g, "g");
NAMED(microtesla, "uT");
NAMED(volt, "V");
NAMED(nothing, "");

static const ARCH_FLASH struct quantity quantities[] = {
    [SENSOR_TEMPERATURE] = {temperature, celsius, 3},
    [SENSOR_HUMIDITY] = {humidity, percent, 3},
    [SENSOR_RADIANT_TEMPERATURE] = {radiant_temperature, celsius, 3},
    [SENSOR_LIGHT] = {light, lux, 3},
    [SENSOR_ACCELERATION_X] = {acceleration_x, g, 6},
    [SENSOR_ACCELERATION_Y] = {acceleration_y, g, 6},
    [SENSOR_ACCELERATION_Z] = {acceleration_z, g, 6},
    [SENSOR_MAGNETIC_X] = {magnetic_x, microtesla, 3},
    [SENSOR_MAGNETIC_Y] = {magnetic_y, microtesla, 3},
    [SENSOR_MAGNETIC_Z] = {magnetic_z, microtesla, 3},
    [SENSOR_MOTION] = {motion, nothing, 0},
    [SENSOR_SUPPLY] = {supply, volt, 3},
};
_Static_assert(sizeof(quantities) / sizeof(*quantities) == SENSOR_QUANTITIES, "each has a name");

const char *sensor_name(const ARCH_FLASH struct sensor *sensor)
{
    return quantities[sensor->quantity].name;
}

size_t sensor_text(const ARCH_FLASH struct sensor *sensor, int32_t value, char *text)
{
    const ARCH_FLASH struct quantity *quantity = &quantities[sensor->quantity];
    unsigned long magnitude = value < 0 ? -(unsigned long)value : (unsigned long)value;
    const char *sign = value < 0 ? TEXT("-") : nothing;
    unsigned long unit = 1;

    if (quantity->decimals == 0) {
        return print_into(text, SENSOR_TEXT_SIZE, "%s%lu", sign, magnitude);
    }
    for (uint8_t i = 0; i < quantity->decimals; i++) {
        unit *= 10;
    }
    return print_into(text, SENSOR_TEXT_SIZE, "%s%lu.%0*lu %s", sign, magnitude / unit,
                      (int)quantity->decimals, magnitude % unit, quantity->unit);
}
