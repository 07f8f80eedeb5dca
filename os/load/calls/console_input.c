/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from os/load/interface.toml by `./lichen generate`. Do not edit. */
/* clang-format off */
#include "load/calls.h"

#include <lichen/console.h>

CALLS_FUNCTIONS = {
    [0] = (call_fn *)(console_read),
    [1] = (call_fn *)(console_read_until),
    [2] = (call_fn *)(console_read_line),
};

CALLS(console_input, 13, 0x42, 0xe45c, 0xe45c);
