/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The kernel level of programs that have neither threads nor events: what the chip does there. It ends
 * each wait of the main loop. */
#include "macros.inc"

/* Its work is requested by an interrupt. */
    .global request_handler

    .section .text.alone, "ax"
    function alone_serve
    sts  arch_requested, r1
    ldi  r24, 1
    sts  arch_woken, r24
    call chip_serve
    lds  r24, arch_requested
    tst  r24
    brne alone_serve
    ret
    .size alone_serve, . - alone_serve
