/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Yielding: os/kernel/thread/yield.c in fewer cycles. The next of the current thread's equals
 * begins a slice, and the current one goes behind them. Linked only into programs that yield. It
 * stays on the thread's stack.
 */
#include "macros.inc"

/* Linked unless threads are distinct; then none has an equal. */
    .weak slice_whole, slice_over, deferred_TIMER2_COMP

/* changes: all registers but r28 and r29 */
    .section .text.switch.yield, "ax"
    function kernel_yield
    in   r18, SREG
    sbrs r18, 7
    rjmp yield_no_thread
    lds  r18, arch_level
    tst  r18
    brne yield_no_thread
    ldi  r18, LEVEL_LEAVING
    sts  arch_level, r18
    lds  r20, kernel + KERNEL_CURRENT
    lds  r21, kernel + KERNEL_CURRENT + 1
    movw r30, r20
    ldd  r26, Z+THREAD_NEXT
    ldd  r27, Z+THREAD_NEXT + 1
    ldd  r18, Z+THREAD_PRIORITY
    movw r30, r26
    ldd  r19, Z+THREAD_PRIORITY
    cp   r18, r19
    brne leave
    tst  r18
    breq leave                          /* the idle thread, whose next one is itself */
    push r28
    push r29
1:  movw r28, r30                       /* the last equal so far */
    ldd  r30, Y+THREAD_NEXT
    ldd  r31, Y+THREAD_NEXT + 1
    ldd  r19, Z+THREAD_PRIORITY
    cp   r18, r19
    breq 1b
    std  Y+THREAD_NEXT, r20
    std  Y+THREAD_NEXT + 1, r21
    movw r28, r20
    std  Y+THREAD_NEXT, r30
    std  Y+THREAD_NEXT + 1, r31
    movw r30, r20
    sts  kernel + KERNEL_READY + 1, r27
    sts  kernel + KERNEL_READY, r26
    slice_restart
    jmp  wait_saved
leave:
    jmp  thread_continues
yield_no_thread:
    jmp  panic_no_thread
    .size kernel_yield, . - kernel_yield
