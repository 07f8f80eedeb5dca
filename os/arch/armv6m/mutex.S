/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Locking and unlocking an uncontended mutex. For both: r0 the mutex, kept. out: r2 0 or an error.
 * changes: r1, r3, r12, flags. */
#include "sequence.inc"

    .section .text.sequences.mutex, "ax"
    .balign 4

    sequence mutex_enter
    ldr  r1, =kernel
    ldr  r1, [r1, #KERNEL_CURRENT]
    ldr  r2, [r0, #MUTEX_OWNER]
    cmp  r2, #0
    bne  1f
commit mutex_enter
    str  r1, [r0, #MUTEX_OWNER]
    bx   lr
1:  rest_in_c mutex_lock_contended
    .cfi_endproc
    .size mutex_enter, . - mutex_enter

    sequence mutex_leave
    ldr  r1, =kernel
    ldr  r1, [r1, #KERNEL_CURRENT]
    ldr  r2, [r0, #MUTEX_OWNER]
    subs r2, r1
    bne  1f
commit mutex_leave
    str  r2, [r0, #MUTEX_OWNER]
    bx   lr
1:  rest_in_c mutex_unlock_contended
    .cfi_endproc
    .ltorg
    .size mutex_leave, . - mutex_leave
