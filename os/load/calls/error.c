/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from os/load/interface.toml by `./lichen generate`. Do not edit. */
/* clang-format off */
#include "load/calls.h"

#include <lichen/error.h>

CALLS_FUNCTIONS = {
    [0] = (call_fn *)(error_name),
};

CALLS(error, 24, 0xa6, 0x0b30, 0x0b30);
