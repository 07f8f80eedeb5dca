/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Values that are a straight line of what a part puts out: raw * scale / 2^16 + offset, rounded
 * down. The host computes the same (host/board/src/conversion.rs). */
#ifndef DRIVER_SENSOR_LINEAR_H
#define DRIVER_SENSOR_LINEAR_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/arch.h>

/* From data/conversion/<part>.toml. */
struct sensor_linear {
    int32_t scale; /* not negative, and less than 2^31 */
    int32_t offset;
    bool is_signed; /* raw is in two's complement */
};

/* raw * scale / 2^16 + offset.
 * context   any
 */
int32_t sensor_linear(const ARCH_FLASH struct sensor_linear *line, uint16_t raw);

#endif
