/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* One pass over the cooperative threads: os/kernel/coop/each.c in fewer cycles. In a separate file,
 * so that it is linked only into programs that have them.
 *
 * States, places to resume at and functions are walked in parallel. The byte after the last state
 * never means "ready", so the end is tested only after a thread that is not ready. A place is kept
 * as the address itself, which has 16 bits; 0 is the start, and what an ended thread returns.
 */
#include "macros.inc"

    .section .text.coop_pass, "ax"

/* bool arch_coop_pass(void): true if one was ready.
 * Y the place to resume at, r17:r16 the state, r15:r14 the function in the table, r13 not 0 if one
 * was ready: a byte of Y that is never 0, since RAM begins at 0x100 */
    function arch_coop_pass
    .irp register, 13, 14, 15, 16, 17, 28, 29
    push r\register
    .endr
    ldi  r28, lo8(coop_resumes)
    ldi  r29, hi8(coop_resumes)
    ldi  r16, lo8(coop_states)
    ldi  r17, hi8(coop_states)
    ldi  r24, lo8(coop_table)
    ldi  r25, hi8(coop_table)
    movw r14, r24
    clr  r13
    rjmp look

ready:
    mov  r13, r29
    movw r30, r14
    lpm  r26, Z+
    lpm  r27, Z+
    movw r14, r30
    movw r30, r26
    ldd  r24, Y+0
    ldd  r25, Y+1
    movw r22, r16
    icall
    std  Y+0, r24
    std  Y+1, r25
next:
    adiw r28, 2
    subi r16, lo8(-1)
    sbci r17, hi8(-1)
look:
    movw r26, r16
    ld   r24, X
    tst  r24                            /* COOP_READY */
    breq ready
    ldi  r24, hi8(coop_states_end)
    cpi  r16, lo8(coop_states_end)
    cpc  r17, r24
    breq end
    ldi  r24, 2
    add  r14, r24
    adc  r15, r1
    rjmp next

end:
    mov  r24, r13
    .irp register, 29, 28, 17, 16, 15, 14, 13
    pop  r\register
    .endr
    ret
    .size arch_coop_pass, . - arch_coop_pass
