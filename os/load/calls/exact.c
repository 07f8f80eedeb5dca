/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Made by `lichen-dev generate` from os/load/interface.toml. */
#include "load/calls.h"

#include <lichen/alarm.h>

static call_fn *const ARCH_FLASH functions[1] = {
    [0] = (call_fn *)sleep_exact_us,
};

CALLS(exact, 4, 0x1f, 0x2a55, 0x2a55);
