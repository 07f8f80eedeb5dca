/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "driver/sensor/curve.h"

/* step * passed / wide, rounded to zero, without a product of more than 32 bits. */
static int32_t part_of(int32_t step, uint16_t passed, uint16_t wide)
{
    uint32_t size = step < 0 ? -(uint32_t)step : (uint32_t)step;
    uint32_t part = size / wide * passed + size % wide * passed / wide;

    return step < 0 ? -(int32_t)part : (int32_t)part;
}

int32_t sensor_curve(const ARCH_FLASH struct sensor_point *points, size_t count, uint16_t raw)
{
    size_t next = 0;

    while (next < count && points[next].raw <= raw) {
        next++;
    }
    if (next == 0) {
        return points[0].value;
    }
    const ARCH_FLASH struct sensor_point *from = &points[next - 1];
    if (next == count) {
        return from->value;
    }
    const ARCH_FLASH struct sensor_point *to = &points[next];
    return from->value + part_of(to->value - from->value, (uint16_t)(raw - from->raw),
                                 (uint16_t)(to->raw - from->raw));
}
