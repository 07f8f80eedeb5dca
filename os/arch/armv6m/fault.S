/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The ways into a panic. Each finds the place, then takes the kernel's stack from its top: the stack
 * in use may be the broken one, and nothing returns to it. An overflow of the kernel's
 * own stack leaves sp outside of RAM, so nothing may be pushed before.
 */
#include "layout.h"

    .syntax unified
    .cpu cortex-m0plus
    .thumb

    .section .text.fault, "ax"

    .macro function name
    .global \name
    .type \name, %function
    .thumb_func
    .balign 4
\name:
    .endm

/* Thread mode leaves the process stack; a handler is on the main stack already. */
    .macro take_kernel_stack scratch
    cpsid i
    movs \scratch, #0
    msr  control, \scratch
    isb
    ldr  \scratch, =kernel_stack_top
    mov  sp, \scratch
    .endm

/* panic_fault(frame, exc_return). A frame on the kernel's stack must not be overwritten before it is
 * read: the stack goes on below it, unless there is no room. */
    function hard_fault_handler
    cpsid i
    mov  r1, lr
    mrs  r0, psp
    lsrs r2, r1, #3                     /* carry: EXC_RETURN bit 2, the frame is on the process stack */
    bcs  1f
    mov  r0, sp
1:  mov  r2, sp
    ldr  r3, =kernel_stack_bottom + PANIC_STACK_BYTES
    cmp  r2, r3
    bhs  2f
    take_kernel_stack r2
2:  bl   panic_fault
    .ltorg

/* A failed assertion, panic(detail), arch_panic(reason, detail): the place is the caller. */
    function panic_assert
    movs r0, #0
    function panic
    movs r1, r0
    movs r0, #PANIC_REASON_ASSERT
    function arch_panic
    mov  r2, lr
    mov  r3, sp
    take_kernel_stack r4
    bl   panic_called
    .ltorg

/* panic_overflow(thread), from the switch. */
    function panic_overflow
    mrs  r1, psp
    take_kernel_stack r2
    bl   panic_stack
    .ltorg
