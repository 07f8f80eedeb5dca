/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* memcpy. That of the C library has 142 bytes and takes more cycles (test/mote/memory). */
    .cfi_sections .debug_frame
    .syntax unified
    .cpu cortex-m0plus
    .thumb

    .section .text.memcpy, "ax"

/* void *memcpy(void *to, const void *from, size_t length): four words at a time, words, and what is left, or all if an
 * address is odd, byte by byte from its end. */
    .global memcpy
    .type memcpy, %function
    .thumb_func
    .balign 4
memcpy:
    .cfi_startproc
    mov  ip, r0
    movs r3, r0
    orrs r3, r1
    lsls r3, #30
    bne  bytes
    subs r2, #16
    blo  few
    push {r4-r6}
    .cfi_adjust_cfa_offset 12
1:  ldmia r1!, {r3-r6}
    stmia r0!, {r3-r6}
    subs r2, #16
    bhs  1b
    pop  {r4-r6}
    .cfi_adjust_cfa_offset -12
few:
    adds r2, #12                        /* those that are left, less a word */
    bmi  3f
2:  ldmia r1!, {r3}
    stmia r0!, {r3}
    subs r2, #4
    bpl  2b
3:  adds r2, #4
bytes:
    subs r2, #1
    bmi  5f
4:  ldrb r3, [r1, r2]
    strb r3, [r0, r2]
    subs r2, #1
    bpl  4b
5:  mov  r0, ip
    bx   lr
    .cfi_endproc
    .size memcpy, . - memcpy
