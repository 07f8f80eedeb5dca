/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from os/load/interface.toml by `./lichen generate`. Do not edit. */
/* clang-format off */
#include "load/calls.h"

#include <lichen/log.h>

CALLS_LAYOUT(sizeof(struct log), 19, 24);

CALLS_FUNCTIONS = {
    [0] = (call_fn *)(log_append),
    [1] = (call_fn *)(log_sync),
    [2] = (call_fn *)(log_read),
    [3] = (call_fn *)(log_seek),
    [4] = (call_fn *)(log_tell),
    [5] = (call_fn *)(log_erase),
};

CALLS(log, 20, 0x60, 0x5cf3, 0x73ff);
