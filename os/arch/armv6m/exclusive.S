/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Functions that threads, handlers of the kernel level and start-up run one at a time. In a
 * separate file: programs without the kernel level link this, but no kernel calls. */
    .cfi_sections .debug_frame
    .syntax unified
    .cpu cortex-m0plus
    .thumb

/* kernel_call, from the linker, is 0 in a program without the kernel level. */

    .section .text.exclusive, "ax"

/* int arch_run_exclusive(void *argument, void *second, arch_call_with_fn *fn): the arguments are
 * already in the registers in which SVC and the function expect them. */
    .global arch_run_exclusive
    .type arch_run_exclusive, %function
    .thumb_func
    .balign 4
arch_run_exclusive:
    .cfi_startproc
    mrs  r3, ipsr
    cmp  r3, #0
    bne  1f
    mrs  r3, primask                    /* start-up or a panic: an SVC would fault */
    cmp  r3, #0
    bne  1f
    ldr  r3, =kernel_call
    cmp  r3, #0
    beq  1f
    svc  0
    bx   lr
1:  bx   r2
    .cfi_endproc
    .ltorg
    .size arch_run_exclusive, . - arch_run_exclusive
