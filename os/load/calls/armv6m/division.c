/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from os/load/interface.toml by `./lichen generate`. Do not edit. */
/* clang-format off */
#include "load/calls.h"

void __aeabi_uidiv(void);
void __aeabi_uidivmod(void);
void __aeabi_idiv(void);
void __aeabi_idivmod(void);
void __aeabi_uldivmod(void);
void __aeabi_ldivmod(void);

CALLS_FUNCTIONS = {
    [0] = (call_fn *)(__aeabi_uidiv),
    [1] = (call_fn *)(__aeabi_uidivmod),
    [2] = (call_fn *)(__aeabi_idiv),
    [3] = (call_fn *)(__aeabi_idivmod),
    [4] = (call_fn *)(__aeabi_uldivmod),
    [5] = (call_fn *)(__aeabi_ldivmod),
};

CALLS(division, 28, 0xda, 0x5539, 0x5539);
