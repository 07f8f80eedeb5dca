/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The paths into a panic. Each finds the place, then takes the kernel's stack from its top: the
 * stack in use may be the broken one, and nothing returns to it. An overflow of the kernel's own
 * stack leaves sp outside RAM, so nothing may be pushed before that.
 */
#include "layout.h"

    .syntax unified
    .cpu cortex-m0plus
    .thumb
    .cfi_sections .debug_frame

    .section .text.fault, "ax"

    .macro function name
    .global \name
    .type \name, %function
    .thumb_func
\name:
    .endm

    .balign 4

/* panic_fault(anything, exc_return, frame, at) */
    function hard_fault_handler
    cpsid i
    ldr  r5, =panic_fault
    mov  r1, lr
    mrs  r2, psp
    movs r3, r2
    lsrs r4, r1, #3                     /* carry: EXC_RETURN bit 2, the frame is on the process stack */
    bcs  take_kernel_stack
    mov  r2, sp
    .size hard_fault_handler, . - hard_fault_handler

/* Goes to r5(r0, r1, frame, at) on the kernel's stack. The frame may lie there: what a panic reads of
 * it moves to the top, where nothing overwrites it.
 * in: r0, r1, r2 frame, r5; interrupts masked, in a handler */
    function panic_of_frame
    movs r3, r2
    ldr  r4, =kernel_stack_bottom
    cmp  r2, r4
    blo  take_kernel_stack              /* it left RAM */
    adds r2, #FRAME_LR
    ldmia r2, {r2, r6, r7}              /* lr, pc, status */
    ldr  r4, =kernel_stack_top
    mov  sp, r4
    push {r1, r2, r6, r7}
    mov  r2, sp
    subs r2, #FRAME_LR - 4
    bx   r5
    .size panic_of_frame, . - panic_of_frame

/* A failed assertion, panic(detail), arch_panic(reason, detail): the place of the panic is the
 * caller. */
    function panic_assert
    movs r0, #0
    .size panic_assert, . - panic_assert
    function panic
    movs r1, r0
    movs r0, #PANIC_ASSERT
    .size panic, . - panic
    function arch_panic
    ldr  r5, =panic_place               /* panic_called, or guard.S */
    mov  r2, lr
    mov  r3, sp
    b    take_kernel_stack
    .size arch_panic, . - arch_panic

/* Jumps to r5 on the kernel's stack. In thread mode this leaves the process stack; a handler is on
 * the main stack already. */
    .type take_kernel_stack, %function
take_kernel_stack:
    cpsid i
    movs r4, #0
    msr  control, r4
    isb
    ldr  r4, =kernel_stack_top
    mov  sp, r4
    bx   r5
    .size take_kernel_stack, . - take_kernel_stack
    .ltorg

/* panic_overflow(thread), called by the switch. */
    .section .text.fault.overflow, "ax"
    .balign 4
    function panic_overflow
    ldr  r5, =panic_stack
    mrs  r1, psp
    bl   take_kernel_stack
    .ltorg
    .size panic_overflow, . - panic_overflow

/* The same in images that load programs, where the thread alone may end: arch_panic_leave needs r5. */
    .section .text.fault.overflow.of_programs, "ax"
    .balign 4
    function thread_overflow_of_programs
    ldr  r2, =panic_overflow_after
    str  r5, [r2]
    bl   panic_overflow
    .ltorg
    .size thread_overflow_of_programs, . - thread_overflow_of_programs

/* panic_leave(sp): enters the first frame of a thread, as resume_interrupted does (switch.S). In thread
 * mode, on the kernel's stack, or in the handler of a fault, of PendSV or SVC. */
    .section .text.fault.leave, "ax"
    .balign 4
    function panic_leave
    ldr  r1, =kernel_stack_top
    movs r3, r0
    adds r3, #16                        /* behind r8-r11 */
    mrs  r2, ipsr
    cmp  r2, #0
    bne  1f
    ldr  r0, [r3, #FRAME_R0]
    ldr  r2, [r3, #FRAME_PC]
    adds r2, #1                         /* the Thumb bit */
    adds r3, #32                        /* behind the frame */
    msr  psp, r3
    movs r3, #2                         /* CONTROL.SPSEL */
    msr  control, r3
    isb
    msr  msp, r1
    cpsie i
    bx   r2
1:  mov  sp, r1
    msr  psp, r3
    movs r0, #2                         /* EXC_RETURN: ~2 */
    mvns r0, r0
    cpsie i
    bx   r0
    .ltorg
    .size panic_leave, . - panic_leave

/* An interrupt without a handler. */
    .section .text.fault.unexpected, "ax"
    function unexpected_handler
    mrs  r1, ipsr
    movs r0, #PANIC_INTERRUPT
    bl   arch_panic
    .size unexpected_handler, . - unexpected_handler

/* In a program without a kernel level, a request for it only wakes the processor. */
    .section .text.request, "ax"
    function arch_request_ignored
    bx   lr
    .size arch_request_ignored, . - arch_request_ignored
