/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* notify_wait. Every call enters the kernel, which tests the notification here.
 * of the caller: r0 the notification. in: r2 psp; r4-r11 are free */
#include "switch.inc"

    .section .text.switch.notify_wait, "ax"
    .balign 4
    function svc_notify_wait
    ldr  r0, [r2, #FRAME_R0]
    ldr  r4, [r0, #NOTIFY_WAITER]
    cmp  r4, #0
    bne  notified
    ldr  r3, =kernel
    ldr  r1, [r3, #KERNEL_CURRENT]
    str  r1, [r0, #NOTIFY_WAITER]
    adds r0, #1                         /* syscall_of_notify */
    str  r0, [r1, #THREAD_SYSCALL]
    movs r4, #THREAD_WAITING
    strb r4, [r1, #THREAD_STATE]
    save_called overflow_in_wait
    switch_to_next
notified:
    cmp  r4, #NOTIFY_SET
    bne  1f
    movs r4, #0
    str  r4, [r0, #NOTIFY_WAITER]
    bx   lr
1:  bl   notify_wait_refused
overflow_in_wait:
    movs r0, r1
    bl   thread_overflow
    .ltorg
    .size svc_notify_wait, . - svc_notify_wait
