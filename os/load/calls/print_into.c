/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from os/load/interface.toml by `./lichen generate`. Do not edit. */
/* clang-format off */
#include "load/calls.h"

#include <lichen/print.h>

CALLS_FUNCTIONS = {
    [0] = (call_fn *)(print_into),
};

CALLS(print_into, 15, 0x49, 0x93d9, 0x93d9);
