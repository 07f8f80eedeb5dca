/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from os/load/interface.toml by `./lichen generate`. Do not edit. */
/* clang-format off */
#include "load/calls.h"

#include <lichen/led.h>

CALLS_FUNCTIONS = {
    [0] = (call_fn *)(led_count),
    [1] = (call_fn *)(led_on),
    [2] = (call_fn *)(led_off),
    [3] = (call_fn *)(led_toggle),
};

CALLS(led, 18, 0x59, 0x3366, 0x3366);
