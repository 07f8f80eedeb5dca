/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Values that are a curve of what a part puts out: straight lines between points. The host computes
 * the same (host/board/src/conversion.rs). */
#ifndef DRIVER_SENSOR_CURVE_H
#define DRIVER_SENSOR_CURVE_H

#include <stddef.h>
#include <stdint.h>

#include <lichen/arch.h>

/* From data/conversion/<part>.toml, in the order of `raw`. */
struct sensor_point {
    uint16_t raw;
    int32_t value;
};

/* The value at `raw`. Before the first of `count` points and after the last one it is theirs.
 * context   any
 */
int32_t sensor_curve(const ARCH_FLASH struct sensor_point *points, size_t count, uint16_t raw);

#define SENSOR_CURVE(points, raw) sensor_curve((points), sizeof(points) / sizeof(*(points)), (raw))

#endif
