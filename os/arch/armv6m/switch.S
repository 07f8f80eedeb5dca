/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Entry to the kernel level, switches between threads, and the exit.
 *
 * PendSV and SVC have the lowest priority, so they interrupt threads and nothing else: the kernel's
 * handlers never nest, they always return to a thread (load_exc_return), and r4-r11 are always a
 * thread's. Interrupts of levels 0 to 2 may come at any instruction; they change only what
 * lichen/kernel.h says.
 *
 * A thread that does not run has its registers on its own stack in one of two forms:
 *
 *   interrupted  sp -> r8-r11, exception frame; r4-r7 lie below sp. Bit 0 of sp is clear.
 *   called       sp -> exception frame. Bit 0 of sp is set. The thread called through
 *                svc_yield, svc_notify_wait or svc_block, and has saved r4-r11 itself if it needs
 *                them.
 *
 * PendSV enters at pendsv_handler, SVC at svc_handler. The common path of PendSV runs straight
 * down: rings, direct slot, switch_interrupted, switch_to. The code that runs events' handlers, and
 * that for rare cases, stands before it, and falls through into after_event, which checks the rings
 * again.
 *
 * Cycles: `lichen bench kernel`.
 */
#include "switch.inc"

    .global power_choose        /* os/kernel/power/power.c */

    .weak sequence_restart              /* linked if there is a sequence: `commit` names it */
/* Linked if a notification is declared; otherwise none is ever delivered. */
    .weak notify_deliver_rare
/* Linked if a SEMAPHORE_RT is declared. */
    .weak semaphore_rt_direct
/* Linked if there are threads that can wait. */
    .weak ready_insert_behind
/* Programs with a switch have threads: os/kernel/thread/thread.c. */
    .global threads_start
/* And struct kernel, even if none of them and no event is declared. */
    .global kernel_level

    .section .text.switch, "ax"
    .balign 4

/* ---------------------------------------------------------------- PendSV: posts, then threads */
/* The rare cases of the direct slot: a semaphore, or a notification that wake_waiter refuses.
 * in: r0 the content of the direct slot, r1 its waiter or mark, r3 kernel */
    .type deliver, %function
deliver:
    .cfi_startproc
    calls_from_handler
    movs r2, #0
    str  r2, [r3, #KERNEL_DIRECT]
    cmp  r1, #SEMAPHORE_RT_MARK
    beq  semaphore_rt
    bl   notify_deliver_rare
    b    after_event
semaphore_rt:
    ldr  r1, =semaphore_rt_direct
    bx   r1
insert:
    insert_waiter
    b    after_event

#include "rings.inc"
    .cfi_endproc
    .size deliver, . - deliver
    function after_event
    /* The exit needs EXC_RETURN in lr, which the handler's call has changed. */
    load_exc_return r0
    mov  lr, r0
    .size after_event, . - after_event
    function pendsv_handler
next_post:
    ldr  r3, =kernel
    ldr  r0, [r3, #KERNEL_IN]
    ldr  r1, [r3, #KERNEL_OUT]
    eors r0, r1
    bne  rings
    ldr  r0, [r3, #KERNEL_DIRECT]
    cmp  r0, #0
    beq  all_delivered
    wake_waiter deliver, insert, KERNEL_DIRECT
    ldr  r0, [r3, #KERNEL_CURRENT]      /* not the woken one: that one was waiting */
    .size pendsv_handler, . - pendsv_handler

/* Saves the current thread in the interrupted form.
 * in: r0 the current thread, r1 the thread to run, r3 kernel, lr EXC_RETURN */
    function switch_interrupted
    mrs  r2, psp
    subs r2, #32
    stmia r2!, {r4-r7}
    ldr  r4, [r0, #THREAD_STACK_LIMIT]
    cmp  r2, r4
    blo  overflow_in_switch
    str  r2, [r0, #THREAD_SP]
    mov  r4, r8
    mov  r5, r9
    mov  r6, r10
    mov  r7, r11
    stmia r2!, {r4-r7}
    .size switch_interrupted, . - switch_interrupted
/* Continues with a thread, whichever form it has.
 * in: r1 the thread to run, r3 kernel, lr EXC_RETURN; r4-r11 are free */
    function switch_to
    count_cycles
    str  r1, [r3, #KERNEL_CURRENT]
    ldr  r2, [r1, #THREAD_SP]
    lsrs r0, r2, #1
    bcc  resume_interrupted
    msr  psp, r2                        /* writes bits 31 to 2 only */
    bx   lr
    .size switch_to, . - switch_to
/* Continues with a thread in the interrupted form. Tests whether it was interrupted in the last
 * 512 bytes before sequences_end, where the restartable sequences are (sequence.inc), and where the
 * idle thread waits.
 * in: r2 its saved sp, lr EXC_RETURN */
    function resume_interrupted
    ldmia r2!, {r4-r7}
    mov  r8, r4
    mov  r9, r5
    mov  r10, r6
    mov  r11, r7
    msr  psp, r2
    ldr  r0, [r2, #FRAME_PC]
    ldr  r1, =sequences_end
    subs r1, r0
    lsrs r1, #SEQUENCES_SHIFT
    beq  restart
    subs r2, #32
    ldmia r2!, {r4-r7}
    bx   lr

/* If it was interrupted inside a sequence, its saved pc is set back. Then the kernel level ends as
 * if it had interrupted this thread: for the idle thread, about to wait, it chooses the depth of
 * sleep, since other threads may have changed the limits. */
restart:
    subs r2, #32
    ldmia r2!, {r4-r7}
    bl   sequence_restart
    b    after_event

/* in: r3 kernel, lr EXC_RETURN */
all_delivered:
    ldr  r0, [r3, #KERNEL_CURRENT]
    ldr  r1, [r3, #KERNEL_READY]
    cmp  r0, r1
    bne  switch_interrupted
    /* The idle thread continues: drivers may have changed their sleep limits. */
    ldrb r1, [r0, #THREAD_PRIORITY]
    cmp  r1, #0
    beq  1f
    bx   lr
1:  bl   power_prepare
    load_exc_return r0
    bx   r0

/* The thread in r0 has no room for its registers. Does not return. */
overflow_in_switch:
    bl   thread_overflow
    .ltorg
    .size resume_interrupted, . - resume_interrupted
/* ---------------------------------------------------------------- SVC: what a thread asks for */
/* The caller's r3 says at which entry to continue. It is read from the frame, since a more urgent
 * interrupt may have run between SVC and this handler and changed the registers. The entries read
 * what they need of the caller's registers from there, too ("of the caller" in their comments). */
    function svc_handler
    mrs  r2, psp
    ldr  r0, [r2, #FRAME_R3]
    bx   r0

/* Runs what a call asks for: r2 of the caller is a function, r0 and r1 its arguments.
 * in: r2 psp. out: r0 its result */
    .macro run_call overflow
    check_stack \overflow
    ldmia r2!, {r0, r1, r3}
    blx  r3
    .endm
    .size svc_handler, . - svc_handler

/* arch_kernel_call: runs the function; its result goes to the caller's r0. */
    function svc_call
    .cfi_startproc
    calls_from_handler
    run_call overflow_in_call
    mrs  r2, psp
    str  r0, [r2, #FRAME_R0]
    .cfi_endproc
    .size svc_call, . - svc_call
/* Then the caller continues, or the first ready thread instead. If the call has posted events,
 * PendSV follows at once and decides after them: they may wake the caller. */
    function switch_if_due
    load_exc_return r0
    mov  lr, r0
    ldr  r3, =kernel
    ldr  r0, [r3, #KERNEL_CURRENT]
    ldr  r1, [r3, #KERNEL_READY]
    cmp  r0, r1
    bne  1f
    bx   lr
1:  ldr  r2, [r3, #KERNEL_IN]
    mov  r12, r2
    ldr  r2, [r3, #KERNEL_OUT]
    cmp  r2, r12
    bne  2f
    b    switch_interrupted
2:  bx   lr
overflow_in_call:                       /* within reach */
    bl   thread_overflow
    .ltorg
    .size switch_if_due, . - switch_if_due

/* Continues with the thread to run; `bx lr` follows if that thread called, too.
 * in: r1 the thread to run, r3 kernel, lr EXC_RETURN; r4-r11 are free */
    .macro enter_called
    count_cycles
    str  r1, [r3, #KERNEL_CURRENT]
    ldr  r2, [r1, #THREAD_SP]
    lsrs r4, r2, #1
    bcc  interrupted
    msr  psp, r2
    .endm

/* arch_yield: the current thread goes behind its equals on the ready list, and the slice of the
 * next one begins (os/kernel/thread/yield.c in C). Linked only into programs that yield.
 * in: r2 psp; r4-r11 are free: a caller that needs them has saved them */
    .section .text.switch.yield, "ax"
    .balign 4
    function svc_yield
    ldr  r3, =kernel
    ldr  r0, [r3, #KERNEL_CURRENT]
    ldr  r1, [r0, #THREAD_NEXT]
    ldrb r4, [r0, #THREAD_PRIORITY]
    ldrb r5, [r1, #THREAD_PRIORITY]
    cmp  r4, r5
    bne  yield_alone
    str  r1, [r3, #KERNEL_READY]
    ldr  r6, =SLICE_TIMER
    str  r6, [r6]
    ldr  r5, [r1, #THREAD_NEXT]
    ldrb r7, [r5, #THREAD_PRIORITY]
    cmp  r7, r4
    beq  several_equals
    str  r0, [r1, #THREAD_NEXT]
yielded:                                /* in: r5 the thread after the caller */
    ldr  r4, [r0, #THREAD_STACK_LIMIT]
    cmp  r2, r4
    blo  overflow_in_yield
    adds r2, #1
    stmia r0!, {r2, r5}                 /* THREAD_SP, THREAD_NEXT */
    enter_called
    .global switch_exit                 /* a place for `lichen bench`, and no code */
    .thumb_func
switch_exit:
yield_alone:
    bx   lr

several_equals:
    movs r6, r5
    ldr  r5, [r6, #THREAD_NEXT]
    ldrb r7, [r5, #THREAD_PRIORITY]
    cmp  r7, r4
    beq  several_equals
    str  r0, [r6, #THREAD_NEXT]
    b    yielded

interrupted:                            /* within reach */
    b    resume_interrupted
overflow_in_yield:
    bl   thread_overflow
    .ltorg
    .size svc_yield, . - svc_yield

/* void notify_deliver(struct event *notification): the handler of a notification's event, for one
 * that went through a ring. Also called by notify_post in events. */
    .section .text.switch.deliver, "ax"
    .balign 4
    function notify_deliver
    ldr  r3, =kernel
    wake_waiter 1f, 2f
    bx   lr
1:  push {r3, lr}
    bl   notify_deliver_rare
    pop  {r3, pc}
2:  push {r3, lr}
    insert_waiter
    pop  {r3, pc}
    .ltorg
    .size notify_deliver, . - notify_deliver

/* arch_kernel_leave: as svc_call, for a thread that ends, whose registers are not saved. */
    .section .text.switch.leave, "ax"
    .balign 4
    function svc_leave
    .cfi_startproc
    calls_from_handler
    run_call overflow_in_leave
    .cfi_endproc
    load_exc_return r0
    mov  lr, r0
    ldr  r3, =kernel
    ldr  r1, [r3, #KERNEL_READY]
    b    switch_to
overflow_in_leave:
    bl   thread_overflow
    .ltorg
    .size svc_leave, . - svc_leave


/* ---------------------------------------------------------------- how threads begin, and idling */
/* The code above runs at the kernel level only, and is placed before the sequences; so the test in
 * resume_interrupted, which looks at the 512 bytes before their end, does not find threads there.
 * The idle thread runs the code below, which is placed at that end, where the test finds it
 * (os/kernel/sequences.ld). */
    .section .text.sequences.idle, "ax"
    .balign 4
/* void arch_start_threads(void *top, void (*entry)(void *argument)): start-up becomes the idle
 * thread, and goes on to thread_begins with `entry` in r1. Interrupts have been masked since
 * reset: the kernel level, which has been requested, is entered only now that it interrupts a
 * thread. */
    function arch_start_threads
    .cfi_startproc
    .cfi_undefined lr                   /* nobody returns to start-up */
    msr  psp, r0
    movs r2, #2                         /* CONTROL.SPSEL */
    msr  control, r2
    isb
    ldr  r2, =kernel_stack_top
    msr  msp, r2
    cpsie i
    .cfi_endproc
    .size arch_start_threads, . - arch_start_threads

/* thread_return is where the function of a thread returns to. thread_exit is weak: a program in
 * which no thread can end does not link it. A debugger looks for a caller one byte before a return
 * address, and finds that there is none. */
    .weak thread_exit
    .type thread_begins, %function
    .thumb_func
thread_begins:
    .cfi_startproc
    .cfi_undefined lr
    blx  r1
    .global thread_return
    .thumb_func
thread_return:
    bl   thread_exit
    .cfi_endproc
    .size thread_begins, . - thread_begins

    function arch_idle
    .cfi_startproc
    .cfi_undefined lr                   /* nobody called it */
1:  wfi
    b    1b
    .cfi_endproc
    .ltorg
    .size arch_idle, . - arch_idle

/* Cooperative threads are the idle thread, which may be anywhere when it continues. If it has been
 * switched away from since their last wait, which has changed its saved sp, they request the kernel
 * level before the next one. A wait returns at once if there has been an exception since. */
    .section .text.begin.choose, "ax"
    .balign 4
    function switch_prepare_idle
    ldr  r2, =idle
    ldr  r0, [r2, #THREAD_SP]
    cmp  r0, r2
    beq  1f
    str  r2, [r2, #THREAD_SP]
    ldr  r0, =ICSR
    movs r1, #1
    lsls r1, #ICSR_PENDSVSET_BIT
    str  r1, [r0]
1:  bx   lr
    .ltorg
    .size switch_prepare_idle, . - switch_prepare_idle
