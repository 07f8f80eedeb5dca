/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Putting a message into a queue and taking one out, in a thread, while no thread waits for the
 * queue.
 *
 * A message is copied inside the sequence: a thread that is interrupted and restarts copies again,
 * using the slot that is next by then. Only the store of the index makes the copy count.
 */
#include "sequence.inc"

    .section .text.sequences.queue, "ax"
    .balign 4

/* Returns false: the kernel must do it. */
    .macro refuse
    movs r0, #0
    pop  {r4-r6}
    .cfi_adjust_cfa_offset -12
    bx   lr
    .endm

    .macro begin
    push {r4-r6}
    .cfi_adjust_cfa_offset 12
    .cfi_rel_offset r4, 0
    .cfi_rel_offset r5, 4
    .cfi_rel_offset r6, 8
    .endm

/* The slot of an index, and the next index. Goes to `refused` if the message takes long to copy: a
 * thread that is interrupted often would never finish.
 * in: r2 index. out: r2 the next one, r3 slot, r4 bytes */
    .macro find_slot refused
    ldrh r5, [r0, #QUEUE_LENGTH]
    ldrh r4, [r0, #QUEUE_SLOT_BYTES]
    subs r3, r4, #1
    cmp  r3, #QUEUE_SHORT_BYTES - 1
    bhi  \refused                       /* or of no bytes at all */
    ldr  r6, [r0, #QUEUE_SLOTS]
    movs r3, r2
    cmp  r3, r5
    blo  .Lfirst_round_\@
    subs r3, r5
.Lfirst_round_\@:
    muls r3, r4
    adds r3, r6
    adds r2, #1
    lsls r5, #1
    cmp  r2, r5
    bne  .Lnext_\@
    movs r2, #0
.Lnext_\@:
    .endm

/* Copies r4 bytes, last one first. changes: r4, r5 */
    .macro copy to, from
    movs r5, \to
    orrs r5, \from
    orrs r5, r4
    lsls r5, #30
    bne  .Lbytes_\@
.Lwords_\@:
    subs r4, #4
    ldr  r5, [\from, r4]
    str  r5, [\to, r4]
    bne  .Lwords_\@
    b    .Lcopied_\@
.Lbytes_\@:
    subs r4, #1
    ldrb r5, [\from, r4]
    strb r5, [\to, r4]
    bne  .Lbytes_\@
.Lcopied_\@:
    .endm

/* bool queue_put_alone(struct queue *queue, const void *item)
 * The indices run from 0 to twice the length (lichen/queue.h): in a full queue they are one length
 * apart, and either may be the larger. */
    .global queue_put_alone
    .type queue_put_alone, %function
    .thumb_func
queue_put_alone:
    .cfi_startproc
    begin
    mrs  r2, ipsr
    cmp  r2, #0
    bne  1f
restart_of queue_put_alone
    ldr  r2, [r0, #QUEUE_RECEIVERS]
    ldr  r3, [r0, #QUEUE_SENDERS]
    orrs r2, r3
    bne  1f                             /* a thread waits, or only interrupts may put */
    ldrh r2, [r0, #QUEUE_IN]
    ldrh r3, [r0, #QUEUE_OUT]
    ldrh r4, [r0, #QUEUE_LENGTH]
    subs r3, r2, r3
    cmp  r3, r4
    beq  1f                             /* full */
    cmn  r3, r4
    beq  1f                             /* full, and `in` has wrapped */
    find_slot 1f
    copy r3, r1
commit queue_put_alone
    strh r2, [r0, #QUEUE_IN]
    movs r0, #1
    pop  {r4-r6}
    bx   lr
1:  refuse
    .cfi_endproc
    .size queue_put_alone, . - queue_put_alone

/* bool queue_take_alone(struct queue *queue, void *item) */
    .global queue_take_alone
    .type queue_take_alone, %function
    .thumb_func
queue_take_alone:
    .cfi_startproc
    begin
    mrs  r2, ipsr
    cmp  r2, #0
    bne  1f
restart_of queue_take_alone
    ldr  r2, [r0, #QUEUE_SENDERS]
    lsrs r2, #1                         /* QUEUE_OF_INTERRUPTS becomes 0: no sender waits */
    ldr  r3, [r0, #QUEUE_RECEIVERS]
    orrs r2, r3
    bne  1f                             /* somebody waits */
    ldrh r2, [r0, #QUEUE_OUT]
    ldrh r3, [r0, #QUEUE_IN]
    cmp  r2, r3
    beq  1f                             /* empty */
    find_slot 1f
    copy r1, r3
commit queue_take_alone
    strh r2, [r0, #QUEUE_OUT]
    movs r0, #1
    pop  {r4-r6}
    bx   lr
1:  refuse
    .cfi_endproc
    .size queue_take_alone, . - queue_take_alone
