/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Made by `lichen-dev generate` from os/load/interface.toml. */
#include "load/calls.h"

#include <lichen/print.h>

static call_fn *const ARCH_FLASH functions[1] = {
    [0] = (call_fn *)(print_into),
};

CALLS(print_into, 15, 0x49, 0x93d9, 0x93d9);
