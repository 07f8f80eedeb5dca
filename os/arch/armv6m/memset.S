/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* memset. That of the C library has 166 bytes and takes more cycles (test/mote/memory). */
    .cfi_sections .debug_frame
    .syntax unified
    .cpu cortex-m0plus
    .thumb

    .section .text.memset, "ax"

/* void *memset(void *to, int byte, size_t length): bytes up to the first word, two words at a time, and bytes. */
    .global memset
    .type memset, %function
    .thumb_func
    .balign 4
memset:
    .cfi_startproc
    mov  ip, r0
    b    2f
1:  subs r2, #1
    bmi  6f
    strb r1, [r0]
    adds r0, #1
2:  lsls r3, r0, #30
    bne  1b
    subs r2, #8
    blo  4f
    uxtb r1, r1
    lsls r3, r1, #8
    orrs r1, r3
    lsls r3, r1, #16
    orrs r1, r3
    movs r3, r1
3:  stmia r0!, {r1, r3}
    subs r2, #8
    bhs  3b
4:  adds r2, #7                         /* those that are left, less one */
    bmi  6f
5:  strb r1, [r0, r2]
    subs r2, #1
    bpl  5b
6:  mov  r0, ip
    bx   lr
    .cfi_endproc
    .size memset, . - memset
