/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <lichen/sensor.h>

#include <lichen/assert.h>

/* Boards list the sensors of a quantity in the order of their numbers. */
const ARCH_FLASH struct sensor *sensor_of(unsigned quantity, unsigned number)
{
    const ARCH_FLASH struct sensor *sensor;
    unsigned index = 0;

    do {
        sensor = sensor_at(index++);
        assert(sensor != 0);
    } while (sensor->quantity != quantity || number-- != 0);
    return sensor;
}
