/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Numbers of 64 bits in memory (arch.h): in loops, in which the carry goes from byte to byte. */
#include "macros.inc"

/* in: Z where to, X where from. changes: r0 */
    .section .text.u64_copy, "ax"
    function u64_copy
    .rept 8
    ld   r0, X+
    st   Z+, r0
    .endr
    ret
    .size u64_copy, . - u64_copy

/* in: Z one number, X another. out: the carry, if the first is less. changes: r0, r18, r19 */
    .section .text.u64_less, "ax"
    function u64_less
    clc
    ldi  r18, 8
1:  ld   r0, Z+
    ld   r19, X+
    cpc  r0, r19
    dec  r18
    brne 1b
    ret
    .size u64_less, . - u64_less

/* in: Z what is added to, X what is added, r18 the carry. changes: r0, r19 */
    .section .text.u64_add, "ax"
    function u64_add
    lsr  r18
    ldi  r18, 8
1:  ld   r0, Z
    ld   r19, X+
    adc  r0, r19
    st   Z+, r0
    dec  r18
    brne 1b
    ret
    .size u64_add, . - u64_add

/* uint32_t u64_between(const uint64_t *earlier, const uint64_t *later) */
    .section .text.u64_between, "ax"
    function u64_between
    movw r26, r24
    movw r30, r22
    ld   r22, Z+
    ld   r0, X+
    sub  r22, r0
    .irp register, 23, 24, 25, 18, 19, 20, 21
    ld   r\register, Z+
    ld   r0, X+
    sbc  r\register, r0
    .endr
    or   r18, r19
    or   r18, r20
    or   r18, r21
    breq 1f
    ldi  r22, 0xff
    ldi  r23, 0xff
    movw r24, r22
1:  ret
    .size u64_between, . - u64_between
