/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Notifying, in a thread.
 * r0 the notification, kept. changes: r1, r2, r3, r12, flags. */
#include "sequence.inc"
#include "switch.inc"

    .global ready_insert_others /* os/kernel/thread/ready.c */

    .section .text.sequences.notify, "ax"
    .balign 4

    sequence notify_give
    ldr  r1, [r0, #NOTIFY_WAITER]
    cmp  r1, #NOTIFY_SET
    bhi  1f
    movs r1, #NOTIFY_SET
commit notify_give
    str  r1, [r0, #NOTIFY_WAITER]
    bx   lr
1:  b    notify_waiter
    .cfi_endproc
    .size notify_give, . - notify_give

/* Placed after the sequences, so a thread that resumes here is not looked up in their table. */
    .section .text.begin.notify, "ax"
    .balign 4
    .type notify_waiter, %function
    .thumb_func
notify_waiter:
    .cfi_startproc
    ldr  r3, =svc_notify_post
    svc  0
    bx   lr
    .cfi_endproc
    .ltorg
    .size notify_waiter, . - notify_waiter

/* notify_post while a thread waits; tested again, since an event may have ended the wait.
 * of the caller: r0 the notification. in: r2 psp */
    .section .text.switch.notify_post, "ax"
    .balign 4
    function svc_notify_post
    check_stack overflow_in_post
    ldr  r0, [r2, #FRAME_R0]
    ldr  r3, =kernel
    wake_waiter rare, not_the_first
    ldr  r0, [r3, #KERNEL_CURRENT]
    b    switch_interrupted
rare:
    bl   notify_deliver_rare
    b    switch_if_due
not_the_first:
    insert_waiter
    b    switch_if_due
overflow_in_post:
    bl   thread_overflow
    .ltorg
    .size svc_notify_post, . - svc_notify_post
