/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from os/load/interface.toml by `./lichen generate`. Do not edit. */
/* clang-format off */
#include "load/calls.h"

#include <lichen/time.h>

CALLS_LAYOUT(sizeof(struct time_moment), 8, 8);
CALLS_LAYOUT(CHIP_TICK_HZ, 1024, 32768);

CALLS_FUNCTIONS = {
    [0] = (call_fn *)(time_now_us),
    [1] = (call_fn *)(time_known),
    [2] = (call_fn *)(sleep_ticks),
    [3] = (call_fn *)(sleep_converted_us),
    [4] = (call_fn *)(sleep_converted_ms),
    [5] = (call_fn *)(sleep_long_us),
    [6] = (call_fn *)(sleep_long_ms),
    [7] = (call_fn *)(sleep_until_us),
};

CALLS(time, 3, 0x10, 0x98a6, 0x7bea);
