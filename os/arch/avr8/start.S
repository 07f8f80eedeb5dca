/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* From reset to the kernel: the stack, the zero that compiled code expects in r1, .data and .bss.
 *
 * Interrupts are off since reset. If they are on, the program has called or jumped through a pointer
 * that is 0, which is this address. A program without panics starts again.
 */
#include "macros.inc"

    .weak panic_restart

    .section .text.start, "ax"
    function reset_handler
    clr  r1
    in   r22, SREG
    out  SREG, r1
    tst  r22                            /* its uppermost bit is I */
    brpl 1f
    jmp  panic_restart
1:
    ldi  r28, lo8(kernel_stack_top - 1)
    ldi  r29, hi8(kernel_stack_top - 1)
    out  SPH, r29
    out  SPL, r28

    /* .data, whose image may lie above 64 KB */
    ldi  r26, lo8(data_begin)
    ldi  r27, hi8(data_begin)
    ldi  r30, lo8(data_load)
    ldi  r31, hi8(data_load)
    ldi  r16, hh8(data_load)
    out  RAMPZ, r16
    ldi  r17, hi8(data_end)
    rjmp 2f
1:  elpm r0, Z+
    st   X+, r0
2:  cpi  r26, lo8(data_end)
    cpc  r27, r17
    brne 1b

    ldi  r17, hi8(bss_end)
    ldi  r26, lo8(bss_begin)
    ldi  r27, hi8(bss_begin)
    rjmp 2f
1:  st   X+, r1
2:  cpi  r26, lo8(bss_end)
    cpc  r27, r17
    brne 1b
    jmp  kernel_main
    .size reset_handler, . - reset_handler
