/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from os/load/interface.toml by `./lichen generate`. Do not edit. */
/* clang-format off */
#include "load/calls.h"

#include <lichen/link.h>

CALLS_LAYOUT(sizeof(struct link_address), 10, 10);
CALLS_LAYOUT(sizeof(struct link_settings), 19, 20);
CALLS_LAYOUT(sizeof(struct link_loss), 6, 12);
CALLS_LAYOUT(sizeof(struct link_counters), 6, 6);

CALLS_FUNCTIONS = {
    [0] = (call_fn *)(link_open),
    [1] = (call_fn *)(link_own),
    [2] = (call_fn *)(link_same),
    [3] = (call_fn *)(link_loss),
    [4] = (call_fn *)(link_count),
};

CALLS(link, 21, 0x70, 0x8d22, 0xe568);
