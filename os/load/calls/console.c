/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from os/load/interface.toml by `./lichen generate`. Do not edit. */
/* clang-format off */
#include "load/calls.h"

#include <lichen/console.h>

CALLS_FUNCTIONS = {
    [0] = (call_fn *)(console_write),
    [1] = (call_fn *)(console_drain),
};

CALLS(console, 12, 0x40, 0xdc94, 0xdc94);
