/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from data/conversion/tmp006.toml by `./lichen generate`. Do not edit. */
#ifndef DRIVER_SENSOR_TMP006_CONVERSION_H
#define DRIVER_SENSOR_TMP006_CONVERSION_H

#include "driver/sensor/linear.h"

/* clang-format off */
#define TMP006_A1 (28672)
#define TMP006_A2 (-429568)
#define TMP006_B0 (-29400)
#define TMP006_B1 (-570)
#define TMP006_B2 (463)
#define TMP006_C2 (134)
#define TMP006_KELVIN (17482)
#define TMP006_PER_NANOVOLT (262144000000LL)
static const ARCH_FLASH struct sensor_linear tmp006_lines[] = {
    {512000, 0, true}, /* temperature */
};
/* clang-format on */

#endif
