/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Made by `lichen-dev generate` from os/load/interface.toml. */
#include "load/calls.h"

#include <lichen/console.h>

static call_fn *const ARCH_FLASH functions[2] = {
    [0] = (call_fn *)console_write,
    [1] = (call_fn *)console_drain,
};

CALLS(console, 12, 0x40, 0xdc94, 0xdc94);
