/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from os/load/interface.toml by `./lichen generate`. Do not edit. */
/* clang-format off */
#include "load/calls.h"

#include <lichen/alarm.h>

CALLS_FUNCTIONS = {
    [0] = (call_fn *)(sleep_exact_us),
};

CALLS(exact, 4, 0x1f, 0x2a55, 0x2a55);
