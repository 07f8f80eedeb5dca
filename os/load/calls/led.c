/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Made by `lichen-dev generate` from os/load/interface.toml. */
#include "load/calls.h"

#include <lichen/led.h>

static call_fn *const ARCH_FLASH functions[4] = {
    [0] = (call_fn *)led_count,
    [1] = (call_fn *)led_on,
    [2] = (call_fn *)led_off,
    [3] = (call_fn *)led_toggle,
};

CALLS(led, 18, 0x59, 0x3366, 0x3366);
