/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from os/load/interface.toml by `./lichen generate`. Do not edit. */
/* clang-format off */
#include "load/calls.h"

void __aeabi_lmul(void);
void __aeabi_llsl(void);
void __aeabi_llsr(void);
void __aeabi_lasr(void);
void __aeabi_lcmp(void);
void __aeabi_ulcmp(void);

CALLS_FUNCTIONS = {
    [0] = (call_fn *)(__aeabi_lmul),
    [1] = (call_fn *)(__aeabi_llsl),
    [2] = (call_fn *)(__aeabi_llsr),
    [3] = (call_fn *)(__aeabi_lasr),
    [4] = (call_fn *)(__aeabi_lcmp),
    [5] = (call_fn *)(__aeabi_ulcmp),
};

CALLS(arithmetic, 27, 0xc8, 0x182a, 0x182a);
