/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* MICAz mote: its sensors, for programs that read all of them. */
#include "driver/sensor/device.h"

const ARCH_FLASH struct sensor *const ARCH_FLASH board_sensors[] = {
    &sensor_temperature,   &sensor_light,    &sensor_acceleration_x, &sensor_acceleration_y,
    &sensor_temperature_1, &sensor_humidity, &sensor_supply,         0,
};
