/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* bool force_keeps(void (*operation)(unsigned actor), unsigned actor)
 *
 * Calls operation(actor) with a value of the actor's own in each register that a function preserves
 * for its caller; a thread switch in between must preserve them as well.
 * returns   whether the values are still there afterwards
 */
    .macro each_preserved do:vararg
    .irp register, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29
    \do \register
    .endr
    .endm

    .macro give register
    mov  r\register, r22
    add  r\register, r18
    subi r18, -7
    .endm

/* Collects the bits in which it differs. */
    .macro compare register
    sub  r\register, r22
    eor  r\register, r18
    or   r24, r\register
    subi r18, -7
    .endm

    .section .text.force_keeps, "ax"
    .global force_keeps
    .type force_keeps, @function
force_keeps:
    .irp register, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29
    push r\register
    .endr
    push r22
    movw r30, r24
    ldi  r18, 0x40
    each_preserved give
    movw r24, r22
    icall
    pop  r22
    ldi  r18, 0x40
    ldi  r24, 0
    each_preserved compare
    ldi  r25, 0
    cpse r24, r1
    ldi  r25, 1
    ldi  r24, 1
    eor  r24, r25
    ldi  r25, 0
    .irp register, 29, 28, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2
    pop  r\register
    .endr
    ret
    .size force_keeps, . - force_keeps
