/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from os/load/interface.toml by `./lichen generate`. Do not edit. */
/* clang-format off */
#include "load/calls.h"

#include <lichen/shell.h>

DECLARATION_NEEDS(shell_find_of_programs);
CALLS_LAYOUT(SHELL_WORDS_MAX, 8, 8);
CALLS_LAYOUT(sizeof(struct shell_arguments), 21, 44);
CALLS_LAYOUT(sizeof(struct shell_command), 8, 16);

CALLS_FUNCTIONS = {
    [0] = (call_fn *)(shell_number),
    [1] = (call_fn *)(shell_choice),
    [2] = (call_fn *)(shell_refuse),
};

CALLS(shell, 29, 0xa8, 0xef25, 0x1411);
