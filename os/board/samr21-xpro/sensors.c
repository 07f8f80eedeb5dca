/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* SAM R21 Xplained Pro: its sensors, for programs that read all of them. */
#include "driver/sensor/device.h"

const ARCH_FLASH struct sensor *const ARCH_FLASH board_sensors[] = {
    &sensor_temperature,
    &sensor_humidity,
    &sensor_supply,
    0,
};
