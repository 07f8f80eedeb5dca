/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Locking and unlocking an uncontended mutex: int mutex_enter(struct mutex *mutex), and
 * mutex_leave. */
#include "sequence.inc"

    .section .text.sequences.mutex_enter, "ax"
    sequence mutex_enter
    movw r30, r24
    ldd  r18, Z+MUTEX_OWNER
    ldd  r19, Z+MUTEX_OWNER+1
    or   r18, r19
    brne 1f
    lds  r18, kernel + KERNEL_CURRENT
    lds  r19, kernel + KERNEL_CURRENT + 1
    store_word mutex_enter, MUTEX_OWNER, r18, r19
    return_0
1:  jmp  mutex_lock_contended
    .size mutex_enter, . - mutex_enter

    .section .text.sequences.mutex_leave, "ax"
    sequence mutex_leave
    movw r30, r24
    ldd  r18, Z+MUTEX_OWNER
    ldd  r19, Z+MUTEX_OWNER+1
    lds  r20, kernel + KERNEL_CURRENT
    lds  r21, kernel + KERNEL_CURRENT + 1
    cp   r18, r20
    cpc  r19, r21
    brne 1f
    store_word mutex_leave, MUTEX_OWNER, r1, r1
    return_0
1:  call mutex_unlock_contended
    return_0
    .size mutex_leave, . - mutex_leave
