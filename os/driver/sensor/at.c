/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The sensors of the board by index. Separate, because it links all of them. */
#include <lichen/sensor.h>

#include "driver/sensor/device.h"

const ARCH_FLASH struct sensor *sensor_at(unsigned index)
{
    const ARCH_FLASH struct sensor *const ARCH_FLASH *entry = board_sensors;

    while (index-- > 0 && *entry != 0) {
        entry++;
    }
    return *entry;
}
