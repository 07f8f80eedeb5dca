/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from os/load/interface.toml by `./lichen generate`. Do not edit. */
/* clang-format off */
#include "load/calls.h"

#include <lichen/serial_number.h>

CALLS_LAYOUT(SERIAL_NUMBER_BYTES, 8, 16);

CALLS_FUNCTIONS = {
    [0] = (call_fn *)(serial_number_read),
};

CALLS(serial_number, 23, 0xa5, 0x2afe, 0x040b);
