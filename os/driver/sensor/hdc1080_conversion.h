/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from data/conversion/hdc1080.toml by `./lichen generate`. Do not edit. */
#ifndef DRIVER_SENSOR_HDC1080_CONVERSION_H
#define DRIVER_SENSOR_HDC1080_CONVERSION_H

#include "driver/sensor/linear.h"

/* clang-format off */
static const ARCH_FLASH struct sensor_linear hdc1080_lines[] = {
    {165000, -40000, false}, /* temperature */
    {100000, 0, false}, /* humidity */
};
/* clang-format on */

#endif
