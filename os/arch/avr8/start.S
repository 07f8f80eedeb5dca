/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* From reset to the kernel: the stack, the zero that compiled code expects in r1, .data, .bss, and the
 * paint of the kernel's stack.
 *
 * A reset leaves interrupts off and the chip as if it had never started. If either is not so, the
 * program has called or jumped through a pointer that is 0, which is this address. A wild jump may
 * also lead behind this check, so the chip is looked at again before the kernel starts. A program
 * without panics starts again.
 */
#include "macros.inc"

    .weak panic_restart

    .section .start, "ax"
    function reset_handler
    in   r9, SREG
    cli
    sbrc r9, 7                          /* I */
    rjmp 1f
    sbis ARCH_STARTED_REGISTER, ARCH_STARTED_BIT
    rjmp 2f
restarted:
    cbi  ARCH_STARTED_REGISTER, ARCH_STARTED_BIT
1:  jmp  panic_restart
2:
    ldi  r28, lo8(kernel_stack_top - 1)
    ldi  r29, hi8(kernel_stack_top - 1)
    out  SPH, r29
    out  SPL, r28
    clr  r1
    .size reset_handler, . - reset_handler

/* Behind it and, where there is one, __do_copy_data (data.S). */
    .section .start.bss, "ax"
    function __do_clear_bss
    ldi  r17, hi8(bss_end)
    ldi  r26, lo8(bss_begin)
    ldi  r27, hi8(bss_begin)
    rjmp 2f
1:  st   X+, r1
2:  cpi  r26, lo8(bss_end)
    cpc  r27, r17
    brne 1b

    ldi  r26, lo8(kernel_stack_bottom)
    ldi  r27, hi8(kernel_stack_bottom)
    ldi  r17, hi8(kernel_stack_top)
    ldi  r18, STACK_PAINT
1:  st   X+, r18
    cpi  r26, lo8(kernel_stack_top)
    cpc  r27, r17
    brne 1b
    in   r9, SREG
    sbic ARCH_STARTED_REGISTER, ARCH_STARTED_BIT
    rcall restarted                     /* where the jump came from is not known: this is the place */
    call kernel_main
    jmp  kernel_main_loop
    .size __do_clear_bss, . - __do_clear_bss
