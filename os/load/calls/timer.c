/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from os/load/interface.toml by `./lichen generate`. Do not edit. */
/* clang-format off */
#include "load/calls.h"

#include <lichen/event.h>
#include <lichen/timer.h>

DECLARATION_NEEDS(kernel_level);
CALLS_LAYOUT(sizeof(struct event), 7, 12);
CALLS_LAYOUT(sizeof(struct event_row), 4, 8);
CALLS_LAYOUT(sizeof(struct timer), 22, 32);

CALLS_FUNCTIONS = {
    [0] = (call_fn *)(timer_arm),
    [1] = (call_fn *)(timer_arm_after_ticks),
    [2] = (call_fn *)(timer_arm_after_converted),
    [3] = (call_fn *)(timer_arm_every),
    [4] = (call_fn *)(timer_cancel),
    [5] = (call_fn *)(event_post),
};

CALLS(timer, 30, 0x18, 0xafde, 0xad34);
