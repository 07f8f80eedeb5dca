/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from os/load/interface.toml by `./lichen generate`. Do not edit. */
/* clang-format off */
#include "load/calls.h"

#include <lichen/condition.h>

CALLS_LAYOUT(sizeof(struct condition), 2, 4);

static int call_condition_wait_until(struct condition *condition, struct mutex *mutex, uint64_t deadline)
{
    return condition_wait_until(condition, mutex, deadline);
}

CALLS_FUNCTIONS = {
    [0] = (call_fn *)(condition_wait),
    [1] = (call_fn *)call_condition_wait_until,
    [2] = (call_fn *)(condition_signal),
    [3] = (call_fn *)(condition_broadcast),
};

CALLS(condition, 7, 0x28, 0xaee0, 0x0446);
