/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Fast paths of a thread that waits in a list of calls, and of one that ends another's wait:
 * syscall_wait_in and syscall_end (os/kernel/thread/syscall.c) in fewer cycles. Both stay on the
 * thread's stack in the usual case, and go through C in every other one. The sequences that lead
 * here have set LEVEL_LEAVING, so that what they have found still holds.
 */
#include "macros.inc"

/* The current thread waits in a list that is empty, without a deadline. Returns 0: nothing
 * ends such a wait with an error.
 * in: r25:r24 and Z the list. changes: what a call may change */
    .section .text.switch.block, "ax"
    function thread_blocks
    in   r26, SPL
    in   r27, SPH
    sbiw r26, SYSCALL_BYTES
    load_sp r27, r26
    adiw r26, 1
    std  Z+0, r26
    std  Z+1, r27
    lds  r30, kernel + KERNEL_CURRENT
    lds  r31, kernel + KERNEL_CURRENT + 1
    std  Z+THREAD_SYSCALL, r26
    std  Z+THREAD_SYSCALL + 1, r27
    st   X+, r1                         /* it is the last one of its list */
    st   X+, r1
    st   X+, r30                        /* SYSCALL_THREAD */
    st   X+, r31
    st   X+, r24                        /* SYSCALL_LIST */
    st   X+, r25
    st   X+, r1                         /* SYSCALL_CANCEL: nothing to call */
    st   X+, r1
    st   X+, r1                         /* SYSCALL_EXPIRE: no deadline */
    st   X+, r1
    ldi  r18, THREAD_WAITING
    std  Z+THREAD_STATE, r18
    rcall leave
    in   r30, SPL
    in   r31, SPH
    adiw r30, SYSCALL_BYTES
    load_sp r31, r30
    ldi  r24, 0
    ldi  r25, 0
    ret

/* in: Z the current thread */
leave:
    movw r24, r30
    ldd  r26, Z+THREAD_NEXT
    ldd  r27, Z+THREAD_NEXT + 1
    movw r30, r26
    ldd  r18, Z+THREAD_PRIORITY
    ldd  r20, Z+THREAD_NEXT
    ldd  r21, Z+THREAD_NEXT + 1
    movw r30, r20
    ldd  r19, Z+THREAD_PRIORITY
    cp   r18, r19
    breq by_c                           /* the next one has equals, or is the idle thread */
    sts  kernel + KERNEL_READY + 1, r27
    sts  kernel + KERNEL_READY, r26
    sts  kernel + KERNEL_THRESHOLD, r18
    movw r30, r24
    jmp  call_leaves
by_c:
    ldi  r20, lo8(gs(ready_remove))
    ldi  r21, hi8(gs(ready_remove))
    jmp  call_enters
    .size thread_blocks, . - thread_blocks

/* Linked unless threads are distinct; then the slice timer is never used. */
    .weak slice_whole, slice_over, deferred_TIMER2_COMP

/* Ends the first call of a list. Returns 0.
 * in: r25:r24 the list, r21:r20 a function that does so at the kernel level and returns 0.
 * changes: what a call may change */
    .section .text.switch.wake, "ax"
    function thread_wakes
    movw r26, r24
    ld   r30, X+
    ld   r31, X
    ldd  r18, Z+SYSCALL_EXPIRE
    ldd  r19, Z+SYSCALL_EXPIRE + 1
    or   r18, r19
    brne by_service                     /* it has a deadline */
    ld   r22, Z
    ldd  r23, Z+1
    ldd  r18, Z+SYSCALL_THREAD
    ldd  r31, Z+SYSCALL_THREAD + 1
    mov  r30, r18
    ldd  r18, Z+THREAD_STATE
    cpi  r18, THREAD_WAITING
    brne by_service                     /* it is paused, too */
    ldd  r18, Z+THREAD_PRIORITY
    lds  r19, kernel + KERNEL_THRESHOLD
    cp   r19, r18
    brsh not_first
    sts  kernel + KERNEL_THRESHOLD, r18
    lds  r18, kernel + KERNEL_READY     /* the current thread */
    lds  r19, kernel + KERNEL_READY + 1
    std  Z+THREAD_NEXT, r18
    std  Z+THREAD_NEXT + 1, r19
    sts  kernel + KERNEL_READY + 1, r31
    sts  kernel + KERNEL_READY, r30
    std  Z+THREAD_STATE, r1             /* THREAD_READY */
    std  Z+THREAD_SLICES, r1
    st   X, r23
    st   -X, r22
    movw r26, r30
    movw r30, r18
    ldi  r24, 0
    ldi  r25, 0
    jmp  call_leaves
by_service:
    jmp  call_enters

/* in: X the upper byte of the list, Z the thread, r23:r22 what follows it. flags: its priority and the
 * threshold compared */
not_first:
    brne by_service
    branch_unless_slices by_service
    movw r18, r30
    lds  r30, kernel + KERNEL_READY     /* the current thread */
    lds  r31, kernel + KERNEL_READY + 1
    ldd  r0, Z+THREAD_SLICES            /* its first equal: its slice begins */
    tst  r0
    brne by_service
    st   X, r23
    st   -X, r22
    ldd  r22, Z+THREAD_NEXT
    ldd  r23, Z+THREAD_NEXT + 1
    std  Z+THREAD_NEXT, r18
    std  Z+THREAD_NEXT + 1, r19
    movw r30, r18
    std  Z+THREAD_NEXT, r22
    std  Z+THREAD_NEXT + 1, r23
    std  Z+THREAD_STATE, r1             /* THREAD_READY */
    std  Z+THREAD_SLICES, r1
    ldi  r18, KERNEL_SLICED
    sts  kernel + KERNEL_THRESHOLD, r18
    slice_restart
    ldi  r24, 0
    ldi  r25, 0
    jmp  call_ends
    .size thread_wakes, . - thread_wakes
