/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Locking and unlocking a mutex that nobody contends for: restartable sequences.
 *
 * A thread must not be interrupted by another thread between its look at the owner and its store.
 * Nothing keeps it from being interrupted; instead, a thread that goes on with its saved pc inside a
 * sequence goes on at the beginning of it (switch.S, restart), which is harmless, since no
 * input has changed and nothing is stored before the last instruction.
 *
 * Each sequence fills one of two blocks of MUTEX_BLOCK bytes: six instructions, of which the last stores,
 * and a return.
 */
#include "layout.h"

    .cfi_sections .debug_frame
    .syntax unified
    .cpu cortex-m0plus
    .thumb

    .section .text.mutex, "ax"

    .macro sequence name
    .global \name
    .type \name, %function
    .thumb_func
\name:
    .cfi_startproc
    .endm

    .balign 2 * MUTEX_BLOCK
    .global mutex_sequences
mutex_sequences:

/* Both: r0 the mutex, kept. out: r2 0 or an error of locking. changes: r1, r3, r12, flags. */
    sequence mutex_enter
    ldr  r1, =kernel
    ldr  r1, [r1, #KERNEL_CURRENT]
    ldr  r2, [r0, #MUTEX_OWNER]
    cmp  r2, #0
    bne  1f
    str  r1, [r0, #MUTEX_OWNER]
    bx   lr
    .cfi_endproc

    .balign MUTEX_BLOCK
    sequence mutex_leave
    ldr  r1, =kernel
    ldr  r1, [r1, #KERNEL_CURRENT]
    ldr  r2, [r0, #MUTEX_OWNER]
    subs r2, r1
    bne  2f
    str  r2, [r0, #MUTEX_OWNER]
    bx   lr
    .cfi_endproc

    .cfi_startproc
1:  push {r0, lr}
    .cfi_def_cfa_offset 8
    .cfi_offset lr, -4
    bl   mutex_lock_contended
    movs r2, r0
    pop  {r0, pc}
    .cfi_endproc

    .cfi_startproc
2:  push {r0, lr}
    .cfi_def_cfa_offset 8
    .cfi_offset lr, -4
    bl   mutex_unlock_contended
    pop  {r0, pc}
    .cfi_endproc
    .ltorg
