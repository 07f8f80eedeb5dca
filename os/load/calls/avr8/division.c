/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from os/load/interface.toml by `./lichen generate`. Do not edit. */
/* clang-format off */
#include "load/calls.h"

void __udivmodhi4(void);
void __divmodhi4(void);
void __udivmodsi4(void);
void __divmodsi4(void);
void __udivdi3(void);
void __umoddi3(void);

CALLS_FUNCTIONS = {
    [0] = (call_fn *)(__udivmodhi4),
    [1] = (call_fn *)(__divmodhi4),
    [2] = (call_fn *)(__udivmodsi4),
    [3] = (call_fn *)(__divmodsi4),
    [4] = (call_fn *)(__udivdi3),
    [5] = (call_fn *)(__umoddi3),
};

CALLS(division, 28, 0xda, 0x2fbb, 0x2fbb);
