/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from os/load/interface.toml by `./lichen generate`. Do not edit. */
/* clang-format off */
#include "load/calls.h"

#include <lichen/button.h>

CALLS_FUNCTIONS = {
    [0] = (call_fn *)(button_count),
    [2] = (call_fn *)(button_pressed),
};

CALLS(button, 19, 0x5d, 0xded6, 0xded6);
