/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Taking from a semaphore and giving to it, in a thread.
 * For all of them: r0 the semaphore, kept. out: r2 0 or an error. changes: r1, r3, r12, flags.
 *
 * semaphore_block is a sequence of its own inside semaphore_take: the pushes before it must not be
 * repeated. r2 is 0 at its SVC, and the frame restores it: so it is also the result of a wait. */
#include "sequence.inc"

    .section .text.sequences.semaphore, "ax"
    .balign 4

    sequence semaphore_take
    mrs  r2, ipsr
    cmp  r2, #0
    bne  1f
    ldrh r1, [r0, #SEMAPHORE_COUNT]
    subs r1, #1
    bcc  semaphore_wait_here
commit semaphore_take
    strh r1, [r0, #SEMAPHORE_COUNT]
    bx   lr
1:  svc  0                              /* in a handler this faults: PANIC_CONTEXT */
    .cfi_endproc

    .cfi_startproc
semaphore_wait_here:
    save_registers
    sub  sp, #SYSCALL_BYTES
    .cfi_adjust_cfa_offset SYSCALL_BYTES
    mov  r1, sp
restart_of semaphore_block
    ldrh r2, [r0, #SEMAPHORE_COUNT]
    cmp  r2, #0
    bne  1f                             /* given meanwhile: take it */
    ldr  r3, =svc_block
commit semaphore_block
    svc  0
1:  add  sp, #SYSCALL_BYTES
    .cfi_adjust_cfa_offset -SYSCALL_BYTES
    restore_registers
    cmp  r2, #0
    bne  semaphore_take
    bx   lr
    .cfi_endproc
    .size semaphore_take, . - semaphore_take

    sequence semaphore_try_take
    mrs  r2, ipsr
    cmp  r2, #0
    bne  1f
    ldrh r1, [r0, #SEMAPHORE_COUNT]
    subs r1, #1
    bcc  2f
commit semaphore_try_take
    strh r1, [r0, #SEMAPHORE_COUNT]
    bx   lr
2:  movs r2, #ERR_EMPTY
    bx   lr
1:  rest_in_c semaphore_try_in_event
    .cfi_endproc
    .size semaphore_try_take, . - semaphore_try_take

    sequence semaphore_give
    mrs  r2, ipsr
    ldr  r1, [r0, #SEMAPHORE_WAITING]
    orrs r2, r1
    bne  semaphore_give_rare
    ldrh r1, [r0, #SEMAPHORE_COUNT]
    adds r1, #1
    lsls r3, r1, #16
    beq  1f
commit semaphore_give
    strh r1, [r0, #SEMAPHORE_COUNT]
    bx   lr
1:  movs r2, #ERR_FULL
    bx   lr
    .cfi_endproc
    .ltorg
    .size semaphore_give, . - semaphore_give

/* Placed after the sequences, so a thread that resumes here is not looked up in their table. */
    .section .text.begin.semaphore, "ax"
    .type semaphore_give_rare, %function
    .thumb_func
semaphore_give_rare:
    .cfi_startproc
    mrs  r2, ipsr
    cmp  r2, #0
    bne  1f
    ldr  r3, =svc_wake
    svc  0                              /* skips the next instruction if no call waits */
    bx   lr
    b    semaphore_give
1:  rest_in_c semaphore_give_in_event
    .cfi_endproc
    .ltorg
    .size semaphore_give_rare, . - semaphore_give_rare
