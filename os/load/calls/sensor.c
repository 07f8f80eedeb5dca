/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from os/load/interface.toml by `./lichen generate`. Do not edit. */
/* clang-format off */
#include "load/calls.h"

#include <lichen/sensor.h>

CALLS_LAYOUT(SENSOR_QUANTITIES, 12, 12);
CALLS_LAYOUT(SENSOR_RAW_WORDS, 2, 2);

CALLS_FUNCTIONS = {
    [0] = (call_fn *)(sensor_read),
    [1] = (call_fn *)(sensor_read_raw),
    [2] = (call_fn *)(sensor_start),
    [3] = (call_fn *)(sensor_stop),
    [4] = (call_fn *)(sensor_raw_words),
    [5] = (call_fn *)(sensor_at),
    [6] = (call_fn *)(sensor_part),
    [7] = (call_fn *)(sensor_name),
    [8] = (call_fn *)(sensor_text),
};

CALLS(sensor, 17, 0x50, 0x14d4, 0x14d4);
