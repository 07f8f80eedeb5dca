/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Calls that threads and handlers may make alike. In a separate file, since not every program needs
 * them; a program that does has a kernel level, even without events and threads.
 */
    .cfi_sections .debug_frame
    .syntax unified
    .cpu cortex-m0plus
    .thumb

    .global kernel_level

    .section .text.run, "ax"

/* int arch_kernel_run(void *argument, void *second, arch_call_with_fn *fn): the arguments are
 * already in the registers in which SVC and the function expect them. kernel_call is svc_call, or
 * in programs without the switch a number that events.S ignores (samr21.ld). */
    .global arch_kernel_run
    .type arch_kernel_run, %function
    .thumb_func
    .balign 4
arch_kernel_run:
    .cfi_startproc
    mrs  r3, ipsr
    cmp  r3, #0
    bne  1f
    ldr  r3, =kernel_call
    svc  0
    bx   lr
1:  bx   r2
    .cfi_endproc
    .ltorg
    .size arch_kernel_run, . - arch_kernel_run
