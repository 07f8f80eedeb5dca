/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Made by `lichen-dev generate` from os/load/interface.toml. */
#include "load/calls.h"

#include <lichen/console.h>

static call_fn *const ARCH_FLASH functions[3] = {
    [0] = (call_fn *)console_read,
    [1] = (call_fn *)console_read_until,
    [2] = (call_fn *)(console_read_line),
};

CALLS(console_input, 13, 0x42, 0xe45c, 0xe45c);
