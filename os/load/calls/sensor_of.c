/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from os/load/interface.toml by `./lichen generate`. Do not edit. */
/* clang-format off */
#include "load/calls.h"

#include <lichen/sensor.h>

CALLS_LAYOUT(SENSOR_QUANTITIES, 12, 12);

CALLS_FUNCTIONS = {
    [0] = (call_fn *)(sensor_of),
};

CALLS(sensor_of, 31, 0xa7, 0x65fe, 0x65fe);
