/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "driver/sensor/linear.h"

/* The product in two halves, of 32 bits each: the compiler's 64-bit arithmetic is a call. */
int32_t sensor_linear(const ARCH_FLASH struct sensor_linear *line, uint16_t raw)
{
    uint32_t scale = (uint32_t)line->scale;
    uint32_t value = (scale >> 16) * raw + ((scale & 0xffffu) * raw >> 16);

    /* In two's complement it is less by 2^16, and the product by the scale. */
    if (line->is_signed && raw >= 0x8000u) {
        value -= scale;
    }
    return (int32_t)(value + (uint32_t)line->offset);
}
