/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from os/load/interface.toml by `./lichen generate`. Do not edit. */
/* clang-format off */
#include "load/calls.h"

#include <lichen/barrier.h>

CALLS_LAYOUT(sizeof(struct barrier), 3, 8);

static int call_barrier_wait_until(struct barrier *barrier, uint64_t deadline)
{
    return barrier_wait_until(barrier, deadline);
}

CALLS_FUNCTIONS = {
    [0] = (call_fn *)(barrier_wait),
    [1] = (call_fn *)call_barrier_wait_until,
};

CALLS(barrier, 8, 0x2c, 0xded8, 0x0222);
