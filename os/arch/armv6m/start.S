/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* From reset to the kernel: initialised memory.
 *
 * A reset leaves thread mode on the main stack. If that is not so, the program has called or jumped
 * through a pointer to this place, such as one that it has read from address 4: the record has the
 * place of the call. A wild jump past this test is stopped by the second one, behind which few
 * instructions are left.
 */
#include "switch.inc"

    .section .text.reset, "ax"
    .balign 4
    function reset_handler
    .cfi_startproc
    .cfi_undefined lr                   /* nothing has called it */
    adr  r0, places
    ldmia r0!, {r1-r5}
    mrs  r0, control
    mrs  r7, ipsr
    orrs r0, r7
    bne  called
    cpsid i
    b    2f
1:  ldmia r1!, {r0}
    stmia r2!, {r0}
2:  cmp  r2, r3
    blo  1b
    movs r0, #0                         /* .bss follows .data */
    b    4f
3:  stmia r2!, {r0}
4:  cmp  r2, r4
    blo  3b
    mrs  r0, control
    cmp  r0, #0
    bne  called
    bl   kernel_main
    bl   kernel_main_loop
called:
    movs r0, #PANIC_FAULT
    movs r1, #0
    bx   r5
    .cfi_endproc
    .balign 4
places:
    .word data_load, data_begin, data_end, bss_end, arch_panic
    .size reset_handler, . - reset_handler
