/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from os/load/interface.toml by `./lichen generate`. Do not edit. */
/* clang-format off */
#include "load/calls.h"

void *memcpy(void *to, const void *from, size_t length);
void *memset(void *at, int value, size_t length);
int memcmp(const void *one, const void *other, size_t length);

CALLS_FUNCTIONS = {
    [0] = (call_fn *)(memcpy),
    [1] = (call_fn *)(memset),
    [2] = (call_fn *)(memcmp),
};

CALLS(memory, 26, 0xc0, 0x1503, 0x1503);
