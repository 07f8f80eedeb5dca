/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AES-128 (crypto/aes.h) with the whole state in registers, in half the cycles of what the compiler
 * makes of crypto/aes_bytes.c, to which a test holds it (test/mote/aes). Of key and text nothing
 * depends but what is read from the S-box, and each entry takes the same time.
 *
 *   r0 to r15    the state: byte i of the block is in ri
 *   r16 to r19   a column of the round key
 *   r24, r25     the constant of the round; the rounds that are left
 *   X            the block
 *   Y            below the round key, which is on the stack
 *   Z            an entry of the S-box, which is aligned to its length
 */
#include "macros.inc"

    .macro box to, from
    mov  r30, \from
    lpm  \to, Z
    .endm

/* MixColumns for the byte in `to`: `sum` is the sum of it and the next one of the column, r23 that of
 * all four. */
    .macro mix_byte to, sum
    lsl  \sum
    sbc  r30, r30
    andi r30, 0x1b
    eor  \sum, r30
    eor  \sum, r23
    eor  \to, \sum
    .endm

    .macro mix_column a, b, c, d
    mov  r20, \a
    mov  r21, \a
    eor  r21, \b
    mov  r22, \c
    eor  r22, \d
    mov  r23, r21
    eor  r23, r22
    mix_byte \a, r21
    mov  r21, \b
    eor  r21, \c
    mix_byte \b, r21
    mix_byte \c, r22
    eor  r20, \d
    mix_byte \d, r20
    .endm

/* Makes a byte of the next round key, and adds it to the state. */
    .macro add_key_byte place, key, state
    ldd  r20, Y + 1 + \place
    eor  \key, r20
    std  Y + 1 + \place, \key
    eor  \state, \key
    .endm

    .macro add_key_column place, a, b, c, d
    add_key_byte \place, r16, \a
    add_key_byte \place + 1, r17, \b
    add_key_byte \place + 2, r18, \c
    add_key_byte \place + 3, r19, \d
    .endm

/* in: r25:r24 the key, r23:r22 the block. changes: what a call may change */
    .section .text.aes_avr8_encrypt, "ax"
    function aes_avr8_encrypt
    .irp register, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29
    push r\register
    .endr
    movw r26, r22
    movw r28, r22
    movw r30, r24
    /* The first round key is the key. It goes to the stack, the last byte first. */
    .irp place, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
    ldd  r16, Z + \place
    push r16
    ldd  r\place, Y + \place
    eor  r\place, r16
    .endr
    in   r28, SPL
    in   r29, SPH
    ldi  r31, hi8(aes_box)
    ldi  r24, 1
    ldi  r25, 10

    /* What is added to the first column of the next round key, whose sum is its second, and so on. */
1:  ldd  r30, Y + 1 + 13
    lpm  r16, Z
    eor  r16, r24
    ldd  r30, Y + 1 + 14
    lpm  r17, Z
    ldd  r30, Y + 1 + 15
    lpm  r18, Z
    ldd  r30, Y + 1 + 12
    lpm  r19, Z
    lsl  r24
    sbc  r20, r20
    andi r20, 0x1b
    eor  r24, r20

    /* SubBytes and ShiftRows, row by row. */
    .irp place, 0, 4, 8, 12
    box  r\place, r\place
    .endr
    mov  r20, r1
    box  r1, r5
    box  r5, r9
    box  r9, r13
    box  r13, r20
    mov  r20, r2
    box  r2, r10
    box  r10, r20
    mov  r20, r6
    box  r6, r14
    box  r14, r20
    mov  r20, r15
    box  r15, r11
    box  r11, r7
    box  r7, r3
    box  r3, r20

    dec  r25
    brne 2f
    rjmp 3f
2:  mix_column r0, r1, r2, r3
    mix_column r4, r5, r6, r7
    mix_column r8, r9, r10, r11
    mix_column r12, r13, r14, r15
3:  add_key_column 0, r0, r1, r2, r3
    add_key_column 4, r4, r5, r6, r7
    add_key_column 8, r8, r9, r10, r11
    add_key_column 12, r12, r13, r14, r15
    tst  r25
    breq 4f
    rjmp 1b

4:  .irp place, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    st   X+, r\place
    .endr
    .rept 16
    pop  r1
    .endr
    .irp register, 29, 28, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2
    pop  r\register
    .endr
    clr  r1
    ret
    .size aes_avr8_encrypt, . - aes_avr8_encrypt
