/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* void notify_wait_in_kernel(struct notify *notify): os/kernel/event/notify_thread.c in fewer
 * cycles. Linked only into programs that wait for notifications. Usually it stays on the thread's
 * stack: the running thread is the first ready one, and leaves the list.
 * changes: all registers but r28 and r29 */
#include "macros.inc"

    .section .text.switch.notify_wait, "ax"
    function notify_wait_in_kernel
    in   r18, SREG
    sbrs r18, 7
    rjmp no_thread
    lds  r18, arch_level
    tst  r18
    brne no_thread
    ldi  r18, LEVEL_LEAVING
    sts  arch_level, r18
    movw r30, r24
    ldd  r18, Z+NOTIFY_WAITER
    ldd  r19, Z+NOTIFY_WAITER + 1
    cpi  r18, NOTIFY_SET
    cpc  r19, r1
    breq is_set
    or   r18, r19
    brne refused
    lds  r26, kernel + KERNEL_CURRENT
    lds  r27, kernel + KERNEL_CURRENT + 1
    std  Z+NOTIFY_WAITER, r26
    std  Z+NOTIFY_WAITER + 1, r27
    movw r30, r26
    ori  r25, ARCH_CALL_TAG >> 8
    std  Z+THREAD_SYSCALL, r24
    std  Z+THREAD_SYSCALL + 1, r25
    ldi  r18, THREAD_WAITING
    std  Z+THREAD_STATE, r18
    jmp  leave_ready
is_set:
    std  Z+NOTIFY_WAITER + 1, r1
    std  Z+NOTIFY_WAITER, r1
    jmp  thread_continues
refused:
    call notify_wait_refused
no_thread:
    jmp  panic_no_thread
    .size notify_wait_in_kernel, . - notify_wait_in_kernel
