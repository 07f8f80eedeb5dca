/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The linker drops it: debug information has it at address 0. */
    .cpu cortex-m0plus
    .thumb
    .section .dropped, "ax"
    .global dropped
    .type dropped, %function
    .thumb_func
dropped:
    nop
    bx   lr
    .size dropped, . - dropped
