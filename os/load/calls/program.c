/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from os/load/interface.toml by `./lichen generate`. Do not edit. */
/* clang-format off */
#include "load/calls.h"

#include <lichen/assert.h>
#include <lichen/panic.h>
#include <lichen/program.h>

void panic_assert(void);
extern __typeof__(panic) panic_of_programs;
extern __typeof__(panic_assert) panic_assert_of_programs;

CALLS_FUNCTIONS = {
    [0] = (call_fn *)(program_confirm),
    [1] = (call_fn *)(program_version),
    [2] = (call_fn *)panic_of_programs,
    [3] = (call_fn *)panic_assert_of_programs,
};

CALLS(program, 1, 0x00, 0x3d6a, 0x3d6a);
