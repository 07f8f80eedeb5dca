/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A panic whose place is the code that a handler has interrupted. In a separate file, since not
 * every program needs it.
 */
#include "layout.h"

    .syntax unified
    .cpu cortex-m0plus
    .thumb

    .section .text.interrupted, "ax"

/* arch_panic_interrupted(reason, detail, interrupted). The frame may lie on the kernel's stack,
 * which then continues below it if there is room. */
    .global arch_panic_interrupted
    .type arch_panic_interrupted, %function
    .thumb_func
    .balign 4
arch_panic_interrupted:
    cpsid i
    ldr  r5, =panic_interrupted
    mov  r4, sp
    ldr  r3, =kernel_stack_bottom + PANIC_STACK_BYTES
    cmp  r4, r3
    bhs  1f
    ldr  r3, =kernel_stack_top
    mov  sp, r3
1:  bx   r5
    .ltorg
    .size arch_panic_interrupted, . - arch_panic_interrupted
