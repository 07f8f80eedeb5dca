/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Taking from a semaphore and giving to it: int semaphore_take(struct semaphore *semaphore), and
 * others. An event may run the same code; the kernel is entered only if a thread waits, or must. What
 * follows then is in block.S. The upper byte of the first call's address is 0 if there is none. */
#include "sequence.inc"

    .section .text.sequences.semaphore_take, "ax"
    sequence semaphore_take
    movw r30, r24
    ldd  r18, Z+SEMAPHORE_COUNT
    ldd  r19, Z+SEMAPHORE_COUNT+1
    subi r18, 1
    sbci r19, 0
    brcc 1f
    ldd  r18, Z+SEMAPHORE_WAITING+1
    tst  r18
    brne 2f
    leave_thread 2f
    jmp  thread_blocks
1:  store_word semaphore_take, SEMAPHORE_COUNT, r18, r19
    return_0
2:  movw r22, r24
    ldi  r24, lo8(gs(semaphore_service))
    ldi  r25, hi8(gs(semaphore_service))
    jmp  syscall_run_on
    .size semaphore_take, . - semaphore_take

    .section .text.sequences.semaphore_try_take, "ax"
    sequence semaphore_try_take
    movw r30, r24
    ldd  r18, Z+SEMAPHORE_COUNT
    ldd  r19, Z+SEMAPHORE_COUNT+1
    subi r18, 1
    sbci r19, 0
    brcs 1f
    store_word semaphore_try_take, SEMAPHORE_COUNT, r18, r19
    return_0
1:  ldi  r24, ERR_EMPTY
    ldi  r25, 0
    ret
    .size semaphore_try_take, . - semaphore_try_take

    .section .text.sequences.semaphore_give, "ax"
    sequence semaphore_give
    movw r30, r24
    ldd  r18, Z+SEMAPHORE_WAITING+1
    tst  r18
    brne 1f
    ldd  r18, Z+SEMAPHORE_COUNT
    ldd  r19, Z+SEMAPHORE_COUNT+1
    subi r18, lo8(-1)
    sbci r19, hi8(-1)
    brcc 2f                             /* it was 65,535 */
    store_word semaphore_give, SEMAPHORE_COUNT, r18, r19
    return_0
1:
restart_of semaphore_wake
    ldd  r18, Z+SEMAPHORE_WAITING+1
    tst  r18
    breq semaphore_give                 /* it has been ended meanwhile */
    ldi  r20, lo8(gs(semaphore_give_in_event))
    ldi  r21, hi8(gs(semaphore_give_in_event))
    leave_thread 3f
    commit semaphore_wake
    jmp  thread_wakes
3:  movw r22, r24
    jmp  arch_kernel_run
2:  ldi  r24, ERR_FULL
    ldi  r25, 0
    ret
    .size semaphore_give, . - semaphore_give
