/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The kernel level of programs that have events and no threads: posts, and calls by cooperative
 * threads. Everything runs on the kernel's stack, and the kernel level always returns to what it
 * interrupted, the main loop or a cooperative thread in it. If anything in the program names an
 * entry of the switch, the linker script takes switch.S instead (samr21.ld), and this code is
 * dropped. So no notification and no direct slot exist here.
 */
#include "switch.inc"

    .global power_choose        /* os/kernel/power/power.c */

/* Every EVENT refers to it: the program has a kernel level. */
    .global kernel_level
    .set kernel_level, 1
    .global power_first                 /* os/kernel/power/first.c */

    .section .text.events, "ax"
    .balign 4
    .type dispatch, %function
dispatch:
    .cfi_startproc
    .cfi_def_cfa_offset 8               /* r3, EXC_RETURN */
    .cfi_offset lr, -4
#include "rings.inc"
/* EXC_RETURN is on the stack, since the handler's call has changed lr. */
after_event:
next_post:
    ldr  r3, =kernel
    ldr  r0, [r3, #KERNEL_IN]
    ldr  r1, [r3, #KERNEL_OUT]
    eors r0, r1
    bne  rings
    bl   power_prepare                  /* drivers may have changed what sleep they allow */
    pop  {r3, pc}
    .cfi_endproc
    .size dispatch, . - dispatch

    function events_pendsv_handler
    push {r3, lr}                       /* r3 keeps the stack aligned */
    b    next_post
    .ltorg
    .size events_pendsv_handler, . - events_pendsv_handler

/* arch_kernel_run, with registers as for svc_call in switch.S: the frame lies on this stack. */
    .section .text.events.svc, "ax"
    .balign 4
    function events_svc_handler
    .cfi_startproc
    mov  r2, sp
    push {r2, lr}
    .cfi_def_cfa_offset 8
    .cfi_offset lr, -4
    ldmia r2!, {r0, r1, r3}             /* two arguments, and the function */
    blx  r3
    pop  {r2, r3}
    str  r0, [r2, #FRAME_R0]
    bx   r3
    .cfi_endproc
    .size events_svc_handler, . - events_svc_handler

/* Does nothing: the kernel level chose the depth of sleep when it last ended. */
    .section .text.events.sleep, "ax"
    function power_prepare_none
    bx   lr
    .size power_prepare_none, . - power_prepare_none
