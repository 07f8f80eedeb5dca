/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from data/conversion/supply.toml by `./lichen generate`. Do not edit. */
#ifndef DRIVER_SENSOR_SUPPLY_CONVERSION_H
#define DRIVER_SENSOR_SUPPLY_CONVERSION_H

#include "driver/sensor/linear.h"

/* clang-format off */
static const ARCH_FLASH struct sensor_linear supply_lines[] = {
    {65536, 0, false}, /* supply */
};
/* clang-format on */

#endif
