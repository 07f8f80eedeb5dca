/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from os/load/interface.toml by `./lichen generate`. Do not edit. */
/* clang-format off */
#include "load/calls.h"

#include <lichen/assert.h>
#include <lichen/panic.h>
#include <lichen/program.h>

void panic_assert(void);

CALLS_FUNCTIONS = {
    [0] = (call_fn *)(program_confirm),
    [1] = (call_fn *)(program_version),
    [2] = (call_fn *)(panic),
    [3] = (call_fn *)(panic_assert),
};

CALLS(program, 1, 0x00, 0x3d6a, 0x3d6a);
