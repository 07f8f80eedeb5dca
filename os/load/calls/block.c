/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from os/load/interface.toml by `./lichen generate`. Do not edit. */
/* clang-format off */
#include "load/calls.h"

#include <lichen/block.h>

CALLS_LAYOUT(sizeof(struct volume), 13, 16);

CALLS_FUNCTIONS = {
    [0] = (call_fn *)(block_read),
    [1] = (call_fn *)(block_write),
    [2] = (call_fn *)(block_sync),
    [3] = (call_fn *)(block_erase),
    [4] = (call_fn *)(block_crc),
};

CALLS(block, 32, 0x66, 0x9f6c, 0x6099);
