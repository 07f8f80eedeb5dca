/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Fills .data at start-up, between the two halves of start.S, where the linker script places it. The
 * compiler refers to it wherever it puts something into .data; other programs do not link it. */
#include "macros.inc"

/* The image may lie above 64 KB. */
    .section .start.data, "ax"
    function __do_copy_data
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
    .size __do_copy_data, . - __do_copy_data
