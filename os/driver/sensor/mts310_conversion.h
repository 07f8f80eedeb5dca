/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from data/conversion/mts310.toml by `./lichen generate`. Do not edit. */
#ifndef DRIVER_SENSOR_MTS310_CONVERSION_H
#define DRIVER_SENSOR_MTS310_CONVERSION_H

#include "driver/sensor/linear.h"

/* clang-format off */
static const ARCH_FLASH struct sensor_linear mts310_lines[] = {
    {1149701365, -8973265, false}, /* acceleration_x */
    {1149701365, -8973265, false}, /* acceleration_y */
};
/* clang-format on */

#endif
