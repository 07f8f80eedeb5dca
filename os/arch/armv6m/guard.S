/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Events of programs that are loaded, and how one that fails is left: in images that have slots for
 * them (os/kernel/program/events.c). In the handler of PendSV, on the main stack.
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

/* What arch_guarded has on the stack: r8-r11, r1, and the record. */
#define GUARD_RECORD 20

    .section .text.guard, "ax"
    .balign 4
/* bool arch_guarded(void *argument, arch_do_fn *fn, struct panic_record *record) */
    function arch_guarded
    push {r1-r7, lr}                    /* r1 keeps the stack aligned */
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
    pop  {r1-r7, pc}
    .size arch_guarded, . - arch_guarded

/* Leaves the handler. Interrupts come only when its frame is below the stack pointer again.
 * in: r0 reason, r1 detail, r2 the place, r4 guard */
    .type guard_leave, %function
guard_leave:
    mov  sp, r4
    cpsie i
    ldr  r3, [r4, #GUARD_RECORD]
    str  r0, [r3, #PANIC_REASON]
    str  r1, [r3, #PANIC_DETAIL]
    str  r2, [r3, #PANIC_PC]
    movs r0, #0
    b    guard_ends
    .size guard_leave, . - guard_leave

/* In place of panic_called (fault.c): arch_panic has gone here. What has failed is the handler, or a
 * function that it called, if PendSV is served and no other interrupt.
 * in: r0 reason, r1 detail, r2 the return address, r3 its stack pointer */
    function panic_called_guarded
    ldr  r4, =guard
    ldr  r4, [r4]
    cmp  r4, #0
    beq  1f
    mrs  r5, ipsr
    cmp  r5, #EXCEPTION_PENDSV
    bne  1f
    cmp  r0, #PANIC_ASSERT
    bne  1f
    subs r2, #5                         /* the Thumb bit, and the `bl` */
    b    guard_leave
1:  ldr  r5, =panic_called
    bx   r5
    .size panic_called_guarded, . - panic_called_guarded

/* In place of hard_fault_handler (fault.S). The frame of a fault in PendSV is made one that returns to
 * guard_fault, which leaves the event's handler. */
    function hard_fault_guarded
    ldr  r0, =guard
    ldr  r0, [r0]
    cmp  r0, #0
    beq  1f
    movs r1, #14                        /* EXC_RETURN: to a handler */
    mvns r1, r1
    cmp  r1, lr
    bne  1f
    mov  r1, sp
    ldr  r2, =kernel_stack_bottom
    cmp  r1, r2
    blo  1f
    ldr  r2, [r1, #FRAME_XPSR]
    lsls r3, r2, #26
    lsrs r3, r3, #26
    cmp  r3, #EXCEPTION_PENDSV
    bne  1f
    movs r3, #1
    lsls r3, r3, #24                    /* the Thumb bit */
    orrs r2, r3
    str  r2, [r1, #FRAME_XPSR]
    ldr  r2, [r1, #FRAME_PC]
    str  r2, [r1, #FRAME_R2]
    ldr  r2, =guard_fault
    str  r2, [r1, #FRAME_PC]
    bx   lr
1:  ldr  r1, =hard_fault_handler
    bx   r1
    .size hard_fault_guarded, . - hard_fault_guarded

/* in: r2 the place */
    .type guard_fault, %function
guard_fault:
    movs r0, #PANIC_FAULT
    movs r1, #0
    ldr  r4, =guard
    ldr  r4, [r4]
    b    guard_leave
    .ltorg
    .size guard_fault, . - guard_fault
