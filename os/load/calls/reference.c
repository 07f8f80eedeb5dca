/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from os/load/interface.toml by `./lichen generate`. Do not edit. */
/* clang-format off */
#include "load/calls.h"

#include <lichen/reference.h>

CALLS_LAYOUT(sizeof(struct reference), 4, 8);

static int call_reference_wait_until(struct reference *reference, uint64_t deadline)
{
    return reference_wait_until(reference, deadline);
}

CALLS_FUNCTIONS = {
    [0] = (call_fn *)(reference_take),
    [1] = (call_fn *)(reference_give),
    [2] = (call_fn *)(reference_wait),
    [3] = (call_fn *)call_reference_wait_until,
};

CALLS(reference, 9, 0x2e, 0x2e4c, 0x6b21);
