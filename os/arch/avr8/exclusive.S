/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Functions that threads, the kernel level and start-up run one at a time. In a separate file:
 * programs without the kernel level link this, but no kernel calls. */
#include "macros.inc"

    .weak kernel_call

/* int arch_run_exclusive(void *argument, void *second, arch_call_with_fn *fn) */
    .section .text.exclusive, "ax"
    function arch_run_exclusive
    in   r18, SREG
    sbrs r18, 7
    rjmp 1f                             /* start-up or a panic */
    lds  r18, arch_level
    tst  r18
    brne 1f
    ldi  r18, lo8(kernel_is_there)
    tst  r18
    breq 1f
    jmp  kernel_call
1:  movw r30, r20
    ijmp
    .size arch_run_exclusive, . - arch_run_exclusive
