/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The command `sensors`. */
#include <lichen/sensor.h>

#include "service/shell/shell.h"

enum {
    AGE_MS = 1000, /* the readings of one part come from one activation */
};

static const char *error_text(int error)
{
    switch (error) {
    case ERR_EMPTY:
        return TEXT("does not answer");
    case ERR_TIMEOUT:
        return TEXT("its bus is stuck");
    default:
        return TEXT("is disturbed, or another part");
    }
}

static void print_reading(const ARCH_FLASH struct sensor *sensor)
{
    char text[SENSOR_TEXT_SIZE];
    int32_t value;
    int error = sensor_read(sensor, AGE_MS, &value);

    print("%-20s %-12s ", sensor_name(sensor), sensor_part(sensor));
    if (error == 0) {
        (void)sensor_text(sensor, value, text);
        print("%s\n", text);
    } else {
        print("%s\n", error_text(error));
    }
}

SHELL_COMMAND(sensors, "", "Reads the board's sensors.")
{
    const ARCH_FLASH struct sensor *sensor;

    for (unsigned i = 0; (sensor = sensor_at(i)) != 0; i++) {
        print_reading(sensor);
    }
}
