/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Hamilton mote: its sensors, for programs that read all of them. Motion is not among them: its
 * sensor takes the console's pin. */
#include "driver/sensor/device.h"

const ARCH_FLASH struct sensor *const ARCH_FLASH board_sensors[] = {
    &sensor_temperature,
    &sensor_humidity,
    &sensor_radiant_temperature,
    &sensor_temperature_1,
    &sensor_acceleration_x,
    &sensor_acceleration_y,
    &sensor_acceleration_z,
    &sensor_magnetic_x,
    &sensor_magnetic_y,
    &sensor_magnetic_z,
    &sensor_temperature_2,
    &sensor_light,
    &sensor_supply,
    0,
};
