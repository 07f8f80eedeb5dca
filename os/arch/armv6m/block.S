/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Fast paths of a thread that waits, and of one that ends another's wait. */
#include "switch.inc"

/* Makes the caller wait in a list of calls, without a deadline. The sequence that ends in this SVC
 * has found that the caller must wait, and that still holds here.
 * of the caller: r0 the list, r1 room for a struct syscall. in: r2 psp; r4-r11 are free */
    .section .text.switch.block, "ax"
    .balign 4
    function svc_block
    ldr  r3, =kernel
    ldr  r1, [r3, #KERNEL_CURRENT]
    ldr  r4, [r2, #FRAME_R0]
    ldr  r7, [r2, #FRAME_R1]
    save_called overflow_in_block
    ldr  r0, [r4]
    cmp  r0, #0
    bne  behind_others
    str  r7, [r4]
in_list:                                /* in: r0 the next call, r4 the list */
    str  r7, [r1, #THREAD_SYSCALL]
    movs r5, #0                         /* SYSCALL_CANCEL: nothing to call */
    movs r6, #0                         /* SYSCALL_EXPIRE: no deadline */
    stmia r7!, {r0, r1, r4, r5, r6}
    movs r4, #THREAD_WAITING
    strb r4, [r1, #THREAD_STATE]
    switch_to_next

/* Inserts the call behind those of threads with at least the caller's priority.
 * in: r0 the first call, r4 the list */
behind_others:
    movs r6, r4
    ldrb r2, [r1, #THREAD_PRIORITY]
1:  ldr  r5, [r0, #SYSCALL_THREAD]
    ldrb r5, [r5, #THREAD_PRIORITY]
    cmp  r5, r2
    blo  2f
    movs r6, r0                         /* a call begins with its link */
    ldr  r0, [r6]
    cmp  r0, #0
    bne  1b
2:  str  r7, [r6]
    b    in_list
overflow_in_block:
    movs r0, r1
    bl   thread_overflow
    .ltorg
    .size svc_block, . - svc_block

/* Ends the first call of a list, with the result 0. An event may have ended it since the caller
 * found it: if no call waits any more, the caller's saved pc is moved past one 16-bit instruction,
 * the return, to a branch that begins the sequence again (semaphore_give_rare in semaphore.S).
 * of the caller: r0 the list. in: r2 psp */
    .section .text.switch.wake, "ax"
    .balign 4
    function svc_wake
    check_stack overflow_in_wake
    ldr  r0, [r2, #FRAME_R0]
    ldr  r1, [r0]
    cmp  r1, #0
    beq  nobody
    ldr  r3, [r1, #SYSCALL_EXPIRE]
    cmp  r3, #0
    bne  end_call                    /* it has a deadline */
    ldr  r2, [r1, #SYSCALL_THREAD]
    ldrb r3, [r2, #THREAD_STATE]
    cmp  r3, #THREAD_WAITING
    bne  end_call                    /* it is paused, too */
    ldr  r3, [r1]                       /* SYSCALL_NEXT */
    str  r3, [r0]
    movs r3, #0
    strh r3, [r2, #THREAD_STATE]        /* THREAD_READY, and no slice */
    ldr  r3, =kernel
    ldrb r1, [r2, #THREAD_PRIORITY]
    ldrb r0, [r3, #KERNEL_THRESHOLD]
    cmp  r1, r0
    bls  not_first
    strb r1, [r3, #KERNEL_THRESHOLD]
    ldr  r0, [r3, #KERNEL_READY]        /* the caller */
    str  r0, [r2, #THREAD_NEXT]
    str  r2, [r3, #KERNEL_READY]
    movs r1, r2
    b    switch_interrupted

/* in: r0 threshold, r1 the thread's priority, r2 the thread, r3 kernel */
not_first:
    bne  insert
    ldr  r0, [r3, #KERNEL_READY]        /* the caller */
    ldrb r1, [r0, #THREAD_SLICES]       /* its first equal: its slice begins */
    cmp  r1, #0
    bne  insert
    ldr  r1, =SLICE_CONTROL
    ldr  r1, [r1]
    lsrs r1, #2
    bcc  insert                         /* and the timer does not run */
    ldr  r1, =SLICE_TIMER
    str  r1, [r1]
    ldr  r1, [r0, #THREAD_NEXT]
    str  r1, [r2, #THREAD_NEXT]
    str  r2, [r0, #THREAD_NEXT]
    movs r1, #KERNEL_SLICED
    strb r1, [r3, #KERNEL_THRESHOLD]
    bx   lr
insert:
    movs r0, r2
    bl   ready_insert
    b    switch_if_due
end_call:
    movs r0, r1
    movs r1, #0
    bl   syscall_end
    b    switch_if_due
nobody:
    ldr  r1, [r2, #FRAME_PC]
    adds r1, #2
    str  r1, [r2, #FRAME_PC]
    bx   lr
overflow_in_wake:
    bl   thread_overflow
    .ltorg
    .size svc_wake, . - svc_wake
