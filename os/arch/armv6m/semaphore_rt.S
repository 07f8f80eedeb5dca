/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A SEMAPHORE_RT in the direct slot. This handles the usual case: it was posted once, and its
 * waiter, which has no deadline, becomes the first ready thread.
 * in: r0 the semaphore, lr EXC_RETURN */
#include "switch.inc"

    .section .text.switch.direct, "ax"
    .balign 4
    function semaphore_rt_direct
    ldrb r1, [r0, #SEMAPHORE_RT_POSTED]
    ldrb r2, [r0, #SEMAPHORE_RT_TAKEN]
    adds r2, #1
    uxtb r2, r2
    cmp  r1, r2
    bne  collect
    ldr  r1, [r0, #SEMAPHORE_RT_WAITING]
    cmp  r1, #0
    beq  collect
    ldr  r2, [r1, #SYSCALL_EXPIRE]
    cmp  r2, #0
    bne  collect
    ldr  r2, [r1, #SYSCALL_THREAD]
    ldrb r3, [r2, #THREAD_STATE]
    cmp  r3, #THREAD_WAITING
    bne  collect                        /* it is paused, too */
    ldr  r3, =kernel
    ldrb r3, [r3, #KERNEL_THRESHOLD]
    mov  r12, r3
    ldrb r3, [r2, #THREAD_PRIORITY]
    cmp  r3, r12
    bls  collect
    ldr  r1, [r1]                       /* SYSCALL_NEXT */
    str  r1, [r0, #SEMAPHORE_RT_WAITING]
    ldrb r1, [r0, #SEMAPHORE_RT_TAKEN]
    adds r1, #1
    strb r1, [r0, #SEMAPHORE_RT_TAKEN]
    movs r1, #0
    strh r1, [r2, #THREAD_STATE]        /* THREAD_READY, and no slice */
    movs r1, r2
    movs r2, r3
    ldr  r3, =kernel
    strb r2, [r3, #KERNEL_THRESHOLD]
    ldr  r0, [r3, #KERNEL_READY]
    str  r0, [r1, #THREAD_NEXT]
    str  r1, [r3, #KERNEL_READY]
    ldr  r0, [r3, #KERNEL_CURRENT]
    b    switch_interrupted
collect:
    bl   semaphore_rt_collect
    b    after_event
    .ltorg
    .size semaphore_rt_direct, . - semaphore_rt_direct
