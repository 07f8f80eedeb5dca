/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* One pass over the cooperative threads: os/kernel/coop/each.c in fewer cycles. In a separate file,
 * so that it is linked only into programs that have them.
 *
 * States, resume offsets and functions are walked in parallel. The byte after the last state never
 * means "ready", so the end is tested only after a thread that is not ready.
 */
    .cfi_sections .debug_frame
    .syntax unified
    .cpu cortex-m0plus
    .thumb

    .section .text.coop_pass, "ax"

/* bool arch_coop_pass(void): true if one was ready.
 * r4 resume offset, r5 state, r6 function, r7 address of its resume offset in the table, r8 number
 * of threads that were not ready */
    .global arch_coop_pass
    .type arch_coop_pass, %function
    .thumb_func
    .balign 4
arch_coop_pass:
    .cfi_startproc
    push {r4-r7, lr}
    .cfi_def_cfa_offset 20
    .cfi_offset lr, -4
    mov  r4, r8
    push {r4, r5}                       /* r5 keeps the stack aligned */
    .cfi_def_cfa_offset 28
    ldr  r4, =coop_resumes
    ldr  r5, =coop_states
    ldr  r7, =coop_table
    movs r0, #0
    mov  r8, r0
    b    look

ready:
    ldmia r7!, {r6}
    ldrh r0, [r4]
    movs r1, r5
    cmp  r0, #0                         /* the start is 0, anywhere else an address */
    beq  1f
    adds r0, r6
1:  blx  r6
/* The thread has left its body: r0 says where, or is 0 at the body's end. An address is stored as
 * its distance from the function, which fits 16 bits. At its end the thread is dead, unless it was
 * added again meanwhile; then it starts from the beginning. */
    subs r0, r6
    bcc  ended
left:
    strh r0, [r4]
next:
    adds r4, #2
    adds r5, #1
look:
    ldrb r1, [r5]
    cmp  r1, #0                         /* COOP_READY */
    beq  ready
    ldr  r0, =coop_states_end
    cmp  r5, r0
    beq  end
    adds r7, #4
    movs r0, #1
    add  r8, r0
    b    next

ended:
    movs r0, #0
    b    left

end:
    ldr  r1, =coop_states
    subs r0, r5, r1
    mov  r1, r8
    subs r0, r1                         /* how many were ready */
    pop  {r4, r5}
    mov  r8, r4
    pop  {r4-r7, pc}
    .cfi_endproc
    .ltorg
    .size arch_coop_pass, . - arch_coop_pass
