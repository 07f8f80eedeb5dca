/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Leaves a panic, in images that load programs. Nothing is on the kernel's stack any more. */
#include "macros.inc"

/* void arch_panic_leave(struct thread *thread) */
    .section .text.panic.leave, "ax"
    function arch_panic_leave
    movw r26, r24
    set_level LEVEL_LEAVING
    jmp  switch_to                      /* switches interrupts on */
    .size arch_panic_leave, . - arch_panic_leave
