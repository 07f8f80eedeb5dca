/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from os/load/interface.toml by `./lichen generate`. Do not edit. */
/* clang-format off */
#include "load/calls.h"

#include <lichen/counter.h>

CALLS_LAYOUT(sizeof(struct counter), 13, 20);

CALLS_FUNCTIONS = {
    [0] = (call_fn *)(counter_take),
    [1] = (call_fn *)(counter_reserve),
    [2] = (call_fn *)(counter_restart),
};

CALLS(counter, 33, 0x6b, 0x2113, 0x2d10);
