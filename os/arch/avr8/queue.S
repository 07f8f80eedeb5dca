/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Putting a message into a queue and taking one out, while no thread waits for the queue:
 * bool queue_put_alone(struct queue *queue, const void *item), and queue_take_alone.
 *
 * A message is copied inside the sequence: a thread that is interrupted and restarts copies again,
 * using the slot that is next by then. Only the store of the index makes the copy count.
 */
#include "sequence.inc"

/* The address of a slot in X, and the next index in r18. Goes to `refused` if a message takes long to
 * copy: a thread that is interrupted often would never finish.
 * in: Z queue, r18 index. out: r20 bytes. changes: r0, r19, r21 */
    .macro find_slot refused
    ldd  r21, Z+QUEUE_SLOT_BYTES+1
    tst  r21
    brne \refused
    ldd  r20, Z+QUEUE_SLOT_BYTES
    mov  r21, r20
    dec  r21
    cpi  r21, QUEUE_SHORT_BYTES
    brsh \refused                       /* or of no bytes at all */
    ldd  r21, Z+QUEUE_LENGTH
    mov  r19, r18
    cp   r19, r21
    brlo .Lfirst_round_\@
    sub  r19, r21
.Lfirst_round_\@:
    mul  r19, r20
    ldd  r26, Z+QUEUE_SLOTS
    ldd  r27, Z+QUEUE_SLOTS+1
    add  r26, r0
    adc  r27, r1
    clr  r1
    inc  r18
    lsl  r21
    cpse r18, r21
    rjmp .Lnext_\@
    ldi  r18, 0
.Lnext_\@:
    .endm

    .section .text.sequences.queue_put_alone, "ax"
    sequence queue_put_alone
    movw r30, r24
    ldd  r18, Z+QUEUE_RECEIVERS+1
    ldd  r19, Z+QUEUE_SENDERS
    or   r18, r19
    ldd  r19, Z+QUEUE_SENDERS+1
    or   r18, r19
    brne 2f                             /* a thread waits, or only interrupts may put */
    ldd  r18, Z+QUEUE_IN
    ldd  r19, Z+QUEUE_OUT
    ldd  r20, Z+QUEUE_LENGTH
    mov  r21, r18
    sub  r21, r19
    cp   r21, r20
    breq 2f                             /* full */
    add  r21, r20
    breq 2f                             /* full, and `in` has wrapped */
    find_slot 2f
    movw r30, r22
1:  ld   r0, Z+
    st   X+, r0
    dec  r20
    brne 1b
    movw r30, r24
    ldi  r19, 1
    commit queue_put_alone
    std  Z+QUEUE_IN, r18
    mov  r24, r19
    ret
2:  ldi  r24, 0
    ret
    .size queue_put_alone, . - queue_put_alone

    .section .text.sequences.queue_take_alone, "ax"
    sequence queue_take_alone
    movw r30, r24
    ldd  r18, Z+QUEUE_SENDERS+1         /* 0 also for QUEUE_OF_INTERRUPTS */
    ldd  r19, Z+QUEUE_RECEIVERS+1
    or   r18, r19
    brne 2f                             /* a thread waits */
    ldd  r18, Z+QUEUE_OUT
    ldd  r19, Z+QUEUE_IN
    cp   r18, r19
    breq 2f                             /* empty */
    find_slot 2f
    movw r30, r22
1:  ld   r0, X+
    st   Z+, r0
    dec  r20
    brne 1b
    movw r30, r24
    ldi  r19, 1
    commit queue_take_alone
    std  Z+QUEUE_OUT, r18
    mov  r24, r19
    ret
2:  ldi  r24, 0
    ret
    .size queue_take_alone, . - queue_take_alone
