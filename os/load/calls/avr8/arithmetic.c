/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from os/load/interface.toml by `./lichen generate`. Do not edit. */
/* clang-format off */
#include "load/calls.h"

void __muldi3(void);
void __adddi3(void);
void __subdi3(void);
void __ashldi3(void);
void __ashrdi3(void);
void __lshrdi3(void);
void __cmpdi2(void);
void __adddi3_s8(void);
void __cmpdi2_s8(void);
void __negdi2(void);
void __mulsi3(void);
void __umulhisi3(void);
void __mulhisi3(void);
void __umulsidi3(void);
void __mulsidi3(void);
void __muluhisi3(void);
void __mulshisi3(void);
void __usmulhisi3(void);

CALLS_FUNCTIONS = {
    [0] = (call_fn *)(__muldi3),
    [1] = (call_fn *)(__adddi3),
    [2] = (call_fn *)(__subdi3),
    [3] = (call_fn *)(__ashldi3),
    [4] = (call_fn *)(__ashrdi3),
    [5] = (call_fn *)(__lshrdi3),
    [6] = (call_fn *)(__cmpdi2),
    [7] = (call_fn *)(__adddi3_s8),
    [8] = (call_fn *)(__cmpdi2_s8),
    [9] = (call_fn *)(__negdi2),
    [10] = (call_fn *)(__mulsi3),
    [11] = (call_fn *)(__umulhisi3),
    [12] = (call_fn *)(__mulhisi3),
    [13] = (call_fn *)(__umulsidi3),
    [14] = (call_fn *)(__mulsidi3),
    [15] = (call_fn *)(__muluhisi3),
    [16] = (call_fn *)(__mulshisi3),
    [17] = (call_fn *)(__usmulhisi3),
};

CALLS(arithmetic, 27, 0xc8, 0x9950, 0x9950);
