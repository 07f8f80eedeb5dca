/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Notifying, in a thread: int notify_give(struct notify *notify). The upper byte of the waiter is 0 if
 * there is none. */
#include "sequence.inc"

    .section .text.sequences.notify_give, "ax"
    sequence notify_give
    movw r30, r24
    ldd  r18, Z+NOTIFY_WAITER+1
    tst  r18
    brne 1f
    ldi  r18, NOTIFY_SET
    commit notify_give
    std  Z+NOTIFY_WAITER, r18
    return_0
1:  movw r22, r24
    ldi  r20, lo8(gs(notify_deliver))
    ldi  r21, hi8(gs(notify_deliver))
    jmp  arch_kernel_run
    .size notify_give, . - notify_give
