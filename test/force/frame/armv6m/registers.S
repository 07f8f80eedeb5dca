/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* bool force_keeps(void (*operation)(unsigned actor), unsigned actor)
 *
 * Calls operation(actor) with a value of the actor's own in each register that a function preserves
 * for its caller; a thread switch in between must preserve them as well.
 * returns   whether the values are still there afterwards
 */
    .syntax unified
    .cpu cortex-m0plus
    .thumb

    .section .text.force_keeps, "ax"
    .global force_keeps
    .type force_keeps, %function
    .thumb_func
    .balign 4
force_keeps:
    .cfi_sections .debug_frame
    .cfi_startproc
    push {r4-r7, lr}
    mov  r4, r8
    mov  r5, r9
    mov  r6, r10
    mov  r7, r11
    push {r1, r4-r7}                    /* the actor, and 40 bytes in all, which keeps the alignment */
    .cfi_def_cfa_offset 40
    .cfi_offset lr, -4
    movs r3, r0
    movs r0, r1
    adds r1, #0x80
    mov  r8, r1
    adds r1, #0x10
    mov  r9, r1
    adds r1, #0x10
    mov  r10, r1
    adds r1, #0x10
    mov  r11, r1
    movs r4, #0x40
    adds r4, r0
    movs r5, #0x50
    adds r5, r0
    movs r6, #0x60
    adds r6, r0
    movs r7, #0x70
    adds r7, r0
    blx  r3

    ldr  r1, [sp]
    subs r4, #0x40
    subs r5, #0x50
    subs r6, #0x60
    subs r7, #0x70
    movs r0, #0                         /* the differences, all of whose bits are collected */
    .irp register, r4, r5, r6, r7
    eors \register, r1
    orrs r0, \register
    .endr
    movs r2, #0x80
    .irp register, r8, r9, r10, r11
    mov  r3, \register
    subs r3, r2
    eors r3, r1
    orrs r0, r3
    adds r2, #0x10
    .endr
    rsbs r1, r0, #0
    adcs r0, r1                         /* 1 if there is none, else 0 */

    pop  {r1, r4-r7}
    mov  r8, r4
    mov  r9, r5
    mov  r10, r6
    mov  r11, r7
    pop  {r4-r7, pc}
    .cfi_endproc
    .size force_keeps, . - force_keeps
