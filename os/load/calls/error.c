/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Made by `lichen-dev generate` from os/load/interface.toml. */
#include "load/calls.h"

#include <lichen/error.h>

static call_fn *const ARCH_FLASH functions[1] = {
    [0] = (call_fn *)error_name,
};

CALLS(error, 24, 0xa6, 0x0b30, 0x0b30);
