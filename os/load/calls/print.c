/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from os/load/interface.toml by `./lichen generate`. Do not edit. */
/* clang-format off */
#include "load/calls.h"

#include <lichen/print.h>

CALLS_FUNCTIONS = {
    [0] = (call_fn *)(print),
};

CALLS(print, 14, 0x48, 0x3a6a, 0x3a6a);
