/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Made by `lichen-dev generate` from os/load/interface.toml. */
#include "load/calls.h"

#include <lichen/print.h>

static call_fn *const ARCH_FLASH functions[1] = {
    [0] = (call_fn *)(print),
};

CALLS(print, 14, 0x48, 0x3a6a, 0x3a6a);
