/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A panic whose place is the code that a handler has interrupted. In a separate file, since not
 * every program needs it.
 */
    .syntax unified
    .cpu cortex-m0plus
    .thumb

    .section .text.interrupted, "ax"

/* arch_panic_interrupted(reason, detail, interrupted) */
    .global arch_panic_interrupted
    .type arch_panic_interrupted, %function
    .thumb_func
    .balign 4
arch_panic_interrupted:
    cpsid i
    ldr  r5, =panic_interrupted
    bl   panic_of_frame
    .ltorg
    .size arch_panic_interrupted, . - arch_panic_interrupted
