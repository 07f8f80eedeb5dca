/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Events of programs that are loaded, and how one that fails ends: in images that have slots for
 * them (os/kernel/program/events.c). In the handler of PendSV or SVC, or of an interrupt of their
 * level, on the main stack.
 */
#include "layout.h"

    .syntax unified
    .cpu cortex-m0plus
    .thumb
    .cfi_sections .debug_frame

    .macro function name
    .global \name
    .type \name, %function
    .thumb_func
\name:
    .endm

/* The stack pointer in arch_guarded, as long as that runs; else 0. */
    .section .bss.guard, "aw", %nobits
    .balign 4
guard:
    .skip 4

/* bool arch_guarded(void *argument, arch_do_fn *fn) */
    .section .text.guard, "ax"
    .balign 4
    function arch_guarded
    push {r3-r7, lr}                    /* r3 keeps the stack aligned */
    mov  r4, r8
    mov  r5, r9
    mov  r6, r10
    mov  r7, r11
    push {r4-r7}
    ldr  r2, =guard
    mov  r3, sp
    str  r3, [r2]
    blx  r1
    movs r0, #1
guard_ends:
    ldr  r2, =guard
    movs r1, #0
    str  r1, [r2]
    pop  {r4-r7}
    mov  r8, r4
    mov  r9, r5
    mov  r10, r6
    mov  r11, r7
    pop  {r3-r7, pc}
    .size arch_guarded, . - arch_guarded

/* panic and panic_assert, as programs call them. The place is where the call is. */
    function panic_assert_guarded
    movs r0, #0
    .size panic_assert_guarded, . - panic_assert_guarded
    function panic_guarded
    ldr  r2, =guard
    ldr  r2, [r2]
    cmp  r2, #0
    beq  1f
    mov  r1, lr
    subs r1, #5                         /* the Thumb bit, and the `bl` */
    mov  sp, r2
    bl   program_event_failed
    movs r0, #0
    b    guard_ends
1:  ldr  r2, =panic
    bx   r2
    .ltorg
    .size panic_guarded, . - panic_guarded
