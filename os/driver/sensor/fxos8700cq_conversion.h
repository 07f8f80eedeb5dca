/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from data/conversion/fxos8700cq.toml by `./lichen generate`. Do not edit. */
#ifndef DRIVER_SENSOR_FXOS8700CQ_CONVERSION_H
#define DRIVER_SENSOR_FXOS8700CQ_CONVERSION_H

#include "driver/sensor/linear.h"

/* clang-format off */
static const ARCH_FLASH struct sensor_linear fxos8700cq_lines[] = {
    {4000000, 0, true}, /* acceleration_x */
    {4000000, 0, true}, /* acceleration_y */
    {4000000, 0, true}, /* acceleration_z */
    {6553600, 0, true}, /* magnetic_x */
    {6553600, 0, true}, /* magnetic_y */
    {6553600, 0, true}, /* magnetic_z */
    {245760, 0, true}, /* temperature */
};
/* clang-format on */

#endif
