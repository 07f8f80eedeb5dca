/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the kernel level does when it is entered: os/kernel/event/dispatch.c in fewer cycles.
 *
 * It looks at the rings again after each event, and not after the direct slot: whoever posts after
 * the rings were empty has set arch_requested, which the caller looks at. On the kernel's stack.
 */
#include "macros.inc"

/* Takes the oldest post of a level, whose index is in r25. out: r25:r24 and Z the event */
    .macro take_oldest level
    ldi  r24, KERNEL_SLOT_BYTES
    mul  r25, r24
    movw r30, r0
    clr  r1
    subi r30, lo8(-(kernel + KERNEL_SLOT + 2 * \level))
    sbci r31, hi8(-(kernel + KERNEL_SLOT + 2 * \level))
    ld   r26, Z
    ldd  r27, Z+1
    subi r25, 1
    brcc 1f
    ldi  r25, lo8(kernel_slots - 1)
1:  sts  kernel + KERNEL_OUT + \level, r25
    movw r24, r26
    movw r30, r26
    std  Z+EVENT_QUEUED + \level, r1    /* before `pending` is read */
    .endm

    .section .text.deliver, "ax"
/* void kernel_deliver(void) */
    function kernel_deliver
    ldi  r24, lo8(chip_serve_is_there)
    sbrc r24, 0
    call chip_serve_or_0
look:
    lds  r24, kernel + KERNEL_IN
    lds  r25, kernel + KERNEL_OUT
    cpse r24, r25
    rjmp of_level_0
    lds  r24, kernel + KERNEL_IN + 1
    lds  r25, kernel + KERNEL_OUT + 1
    cpse r24, r25
    rjmp of_level_1
    lds  r24, kernel + KERNEL_IN + 2
    lds  r25, kernel + KERNEL_OUT + 2
    cpse r24, r25
    rjmp of_level_2
    lds  r25, kernel + KERNEL_DIRECT + 1
    tst  r25
    brne direct
    ret
/* Interrupts fill the slot while both bytes are 0: the lower one is cleared last. If the address
 * ends in 0, the slot is empty before that, and may be filled at once. */
direct:
    lds  r24, kernel + KERNEL_DIRECT
    sts  kernel + KERNEL_DIRECT + 1, r1
    cpse r24, r1
    sts  kernel + KERNEL_DIRECT, r1
    jmp  deliver_directly
of_level_0:
    take_oldest 0
    rjmp run
of_level_2:
    take_oldest 2
    rjmp run
of_level_1:
    take_oldest 1
run:
    ldd  r18, Z+EVENT_PENDING
    tst  r18
    breq look_again_at_rings
    std  Z+EVENT_PENDING, r1
    ld   r18, Z
    ldd  r19, Z+1
    movw r30, r18
    icall
look_again_at_rings:
    rjmp look
    .size kernel_deliver, . - kernel_deliver

/* void notify_deliver(struct event *event): os/kernel/event/notify_thread.c in fewer cycles; and
 * from the direct slot, semaphores. */
    .weak notify_deliver_rare, semaphore_rt_collect, ready_insert_behind

    .section .text.deliver.notify, "ax"
/* in: r25:r24 the event, until it is delivered */
    function notify_deliver
    movw r30, r24
    ldd  r26, Z+NOTIFY_WAITER
    ldd  r27, Z+NOTIFY_WAITER + 1
    sbrc r26, 0
    rjmp rare
    tst  r27
    breq nobody_waits
    std  Z+NOTIFY_WAITER + 1, r1
    std  Z+NOTIFY_WAITER, r1
    movw r30, r26
insert:
    std  Z+THREAD_STATE, r1             /* THREAD_READY */
    std  Z+THREAD_SLICES, r1
    lds  r22, kernel + KERNEL_READY
    lds  r23, kernel + KERNEL_READY + 1
    ldd  r20, Z+THREAD_PRIORITY
    lds  r18, kernel + KERNEL_THRESHOLD
    cp   r18, r20
    brcc behind
    sts  kernel + KERNEL_THRESHOLD, r20
    std  Z+THREAD_NEXT + 1, r23
    std  Z+THREAD_NEXT, r22
    sts  kernel + KERNEL_READY + 1, r31
    sts  kernel + KERNEL_READY, r30
    ret
behind:
    movw r24, r30
    jmp  ready_insert_behind
nobody_waits:
    jmp  notify_deliver_rare
rare:
    cpi  r26, SEMAPHORE_RT_MARK
    cpc  r27, r1
    brne not_semaphore
/* A semaphore. The usual case: the drivers' level has posted it once, and a call without a deadline
 * waits, of a thread that is not paused. Posts of other levels are in their rings. */
    ldd  r19, Z+SEMAPHORE_RT_TAKEN + ARCH_LEVEL_DRIVER
    ldd  r18, Z+SEMAPHORE_RT_POSTED + ARCH_LEVEL_DRIVER
    inc  r19
    cp   r18, r19
    brne collect
    ldd  r26, Z+SEMAPHORE_RT_WAITING
    ldd  r27, Z+SEMAPHORE_RT_WAITING + 1
    adiw r26, 0
    breq collect
    ld   r18, X+                        /* SYSCALL_NEXT */
    ld   r20, X+
    ld   r22, X+                        /* SYSCALL_THREAD */
    ld   r23, X+
    adiw r26, SYSCALL_EXPIRE - 4
    ld   r21, X+
    ld   r0, X+
    or   r21, r0
    brne collect
    movw r30, r22
    ldd  r21, Z+THREAD_STATE
    cpi  r21, THREAD_WAITING
    brne collect
    adiw r26, SYSCALL_RESULT - SYSCALL_EXPIRE - 2
    st   X+, r1
    st   X, r1
    movw r26, r24
    adiw r26, SEMAPHORE_RT_WAITING
    st   X+, r18
    st   X, r20
    adiw r26, SEMAPHORE_RT_TAKEN + ARCH_LEVEL_DRIVER - SEMAPHORE_RT_WAITING - 1
    st   X, r19
    rjmp insert
collect:
    jmp  semaphore_rt_collect
not_semaphore:
    jmp  notify_deliver_rare
    .size notify_deliver, . - notify_deliver
