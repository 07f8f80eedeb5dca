/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* memcmp. That of the C library has 68 bytes and takes more cycles (test/mote/memory). */
    .cfi_sections .debug_frame
    .syntax unified
    .cpu cortex-m0plus
    .thumb

    .section .text.memcmp, "ax"

/* int memcmp(const void *one, const void *other, size_t length): words, and the rest, or all if an address is odd, byte
 * by byte. */
    .global memcmp
    .type memcmp, %function
    .thumb_func
    .balign 4
memcmp:
    .cfi_startproc
    push {r4, lr}
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r4, 0
    .cfi_rel_offset lr, 4
    movs r3, r0
    orrs r3, r1
    lsls r3, #30
    bne  3f
1:  subs r2, #4
    blo  2f
    ldmia r0!, {r3}
    ldmia r1!, {r4}
    cmp  r3, r4
    beq  1b
    subs r0, #4                         /* one of their bytes differs */
    subs r1, #4
2:  adds r2, #4
3:  subs r2, #1
    bmi  4f
    ldrb r3, [r0]
    ldrb r4, [r1]
    adds r0, #1
    adds r1, #1
    subs r3, r4
    beq  3b
    movs r0, r3
    pop  {r4, pc}
4:  movs r0, #0
    pop  {r4, pc}
    .cfi_endproc
    .size memcmp, . - memcmp
