/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from os/load/interface.toml by `./lichen generate`. Do not edit. */
/* clang-format off */
#include "load/calls.h"

#include <lichen/random.h>

CALLS_FUNCTIONS = {
    [0] = (call_fn *)(random_u32),
    [1] = (call_fn *)(random_below),
    [2] = (call_fn *)(random_bytes),
    [3] = (call_fn *)(random_add),
};

CALLS(random, 22, 0xa0, 0x6efe, 0x6efe);
