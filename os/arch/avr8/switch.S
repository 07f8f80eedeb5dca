/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The kernel level of programs with threads, and switches between threads.
 *
 * It runs on the kernel's stack, which is empty while a thread runs. An interrupt of a thread saves
 * what a call may change on the thread's stack and goes over to the kernel's for its handler, and
 * stays there if the kernel level is to run. A call of a thread goes over to it, too. Only a switch
 * goes back to save the other registers.
 *
 * A thread that does not run has, on top of its own stack, the address of the code that continues
 * it, and below that what this code restores. There are four:
 *
 *   in interrupt_of_thread  the registers that a call preserves, and what push_changed has saved
 *   in kernel_call          the same registers, the result, and a return address
 *   in leave_ready          r28, r29, and a return address: the caller needs no other registers
 *   thread_begins           the function and its argument: the thread has not run
 *
 * It continues at LEVEL_LEAVING.
 */
#include "macros.inc"

    .global power_choose        /* os/kernel/power/power.c */

/* Programs with a switch have threads: os/kernel/thread/thread.c. And struct kernel. */
    .global threads_start
    .global kernel_level

/* Its work is requested by an interrupt. */
    .global request_handler

/* What an interrupt may need of a thread's stack. */
    .global arch_frame_bytes
    .set arch_frame_bytes, ARCH_FRAME_BYTES

/* The first ready thread. out: X it, Z the current one. The Z flag: they are the same. */
    .macro first_ready
    lds  r26, kernel + KERNEL_READY
    lds  r27, kernel + KERNEL_READY + 1
    lds  r30, kernel + KERNEL_CURRENT
    lds  r31, kernel + KERNEL_CURRENT + 1
    cp   r26, r30
    cpc  r27, r31
    .endm

    .section .text.entries.switch, "ax"
/* A handler of level 1 has been entered.
 * in: Z the handler, r24 the level. stack: r31, r30, the level, r24, return address */
    function interrupt_of_thread
    sbrc r24, 0
    jmp  interrupt_of_kernel
    set_level LEVEL_HANDLER
    push_changed
    leave_stack r24, r25, r26, r27
    icall
    lds  r24, arch_requested
    sbrc r24, 0
    rjmp attend
leaves:
    take_stack_back r24, r25
    pop_changed
    jmp  exit_thread

attend:
    lds  r30, kernel_stack_top - 1
    lds  r31, kernel_stack_top - 2
    branch_if_special special
enter:
    set_level LEVEL_KERNEL
    call kernel_serve
    brne switch
    set_level LEVEL_HANDLER
    rjmp leaves

special:
    call interrupted_special
    brcc enter
    take_stack_back r24, r25
    pop_changed
    jmp  exit_thread_last

switch:
    set_level LEVEL_LEAVING
    take_stack_back r24, r25
    push_preserved
    call switch_away
    pop_preserved
    pop_changed
    jmp  exit_thread
    .size interrupt_of_thread, . - interrupt_of_thread

    .section .text.switch, "ax"
/* Does what is requested, on the kernel's stack.
 * out: as first_ready. changes: what a call may change */
    function kernel_serve
    sts  arch_requested, r1
    lds  r24, arch_deferred
    sbrc r24, 0
    rjmp handlers
    call kernel_deliver
served:
    lds  r24, arch_requested
    sbrc r24, 0
    rjmp kernel_serve
    lds  r24, kernel + KERNEL_THRESHOLD /* 0 if the first ready thread is the idle one */
    tst  r24
    breq idle_comes
    lds  r26, kernel + KERNEL_READY
    lds  r27, kernel + KERNEL_READY + 1
    lds  r30, kernel + KERNEL_CURRENT
    lds  r31, kernel + KERNEL_CURRENT + 1
    cp   r26, r30
    cpc  r27, r31
    ret

/* The idle thread continues: drivers may have changed their sleep limits. */
idle_comes:
    call power_prepare
    lds  r24, arch_requested
    sbrc r24, 0
    rjmp kernel_serve
    first_ready
    ret

/* Handlers have been deferred while the kernel level was not on its stack. They are given a place
 * that they have interrupted: this one. */
handlers:
    set_level LEVEL_HANDLER
    rcall 1f
    set_level LEVEL_KERNEL
    rjmp kernel_serve
1:  push r24
    ldi  r24, LEVEL_KERNEL
    push r24
    in   r24, SPL
    in   r25, SPH
    sbiw r24, INTERRUPTED_PC - 3
    call run_deferred
    pop  r24
    pop  r24
    ret
    .size kernel_serve, . - kernel_serve

/* Leaves the current thread, Z, which continues at the return address, and enters the thread X. Its
 * stack has overflowed if the stack pointer is below its end, or its last byte has lost its paint.
 * changes: r18, r24, r25, r28, r29 */
    function switch_away
    in   r24, SPL
    in   r25, SPH
    ldd  r28, Z+THREAD_STACK_LIMIT
    ldd  r29, Z+THREAD_STACK_LIMIT + 1
    cp   r24, r28
    cpc  r25, r29
    brcs overflow
    ld   r18, Y
    cpi  r18, STACK_PAINT
    brne overflow
    std  Z+THREAD_SP, r24
    std  Z+THREAD_SP + 1, r25
    .global switch_to
switch_to:
    sts  kernel + KERNEL_CURRENT + 1, r27
    sts  kernel + KERNEL_CURRENT, r26
    ld   r24, X+                        /* THREAD_SP */
    ld   r25, X
    load_sp r25, r24
    .global switch_exit                 /* a place for `lichen bench` */
switch_exit:
    ret
overflow:
    jmp  panic_overflow
    .size switch_away, . - switch_away

/* int kernel_call(void *argument, void *second, arch_call_with_fn *fn): what a thread asks for. If
 * another thread is the first one afterwards, that continues. */
    .section .text.switch.call, "ax"
    function call_of_thread
    in   r18, SREG
    sbrs r18, 7
    rjmp no_thread
    lds  r18, arch_level
    tst  r18
    brne no_thread
    ldi  r18, LEVEL_LEAVING
    sts  arch_level, r18
    .global call_enters
call_enters:                            /* block.S */
    leave_stack r18, r19, r26, r27
    ldi  r18, LEVEL_KERNEL
    sts  arch_level, r18
    movw r30, r20
    icall
    lds  r18, arch_requested
    sbrc r18, 0
    rjmp call_serves
    first_ready
    brne call_switches
call_returns:
    ldi  r18, LEVEL_LEAVING
    sts  arch_level, r18
    take_stack_back r18, r19
    .global call_ends
call_ends:                              /* block.S */
    sts  arch_level, r1
    lds  r18, arch_requested
    sbrc r18, 0
    rjmp call_requests
    ret
no_thread:
    jmp  panic_no_thread
call_serves:
    push r25
    push r24
    call kernel_serve
    pop  r24
    pop  r25
    breq call_returns
call_switches:
    ldi  r18, LEVEL_LEAVING
    sts  arch_level, r18
    take_stack_back r18, r19
    .global call_leaves
call_leaves:                            /* block.S; X the next thread, Z this one */
    push r25
    push r24
    push_preserved
    call switch_away
    pop_preserved
    pop  r24
    pop  r25
    rjmp call_ends
call_requests:
    ldi  r18, ARCH_REQUEST_VALUE
    sts  ARCH_REQUEST_REGISTER, r18
    ret
    .size call_of_thread, . - call_of_thread

/* A thread waits that keeps r28 and r29 only: the current one leaves the ready list, of which it is
 * the first. Usually that changes two words. If the next one has equals, whose slice begins, or is
 * the idle thread, which chooses how deep to sleep, C does it.
 * in: Z the current thread. LEVEL_LEAVING. changes: all registers but r28 and r29 */
    .section .text.switch.leave_ready, "ax"
    function leave_ready
    push r28
    push r29
    ldd  r26, Z+THREAD_NEXT
    ldd  r27, Z+THREAD_NEXT + 1
    movw r28, r26
    ldd  r18, Y+THREAD_PRIORITY
    ldd  r20, Y+THREAD_NEXT
    ldd  r21, Y+THREAD_NEXT + 1
    movw r28, r20
    ldd  r19, Y+THREAD_PRIORITY
    cp   r18, r19
    breq by_c
    sts  kernel + KERNEL_READY + 1, r27
    sts  kernel + KERNEL_READY, r26
    sts  kernel + KERNEL_THRESHOLD, r18
    .global wait_saved
/* in: X the next thread. stack: r29, r28, return address */
wait_saved:
    rcall switch_away
waited:
    pop  r29
    pop  r28
    .global thread_continues
thread_continues:
    sts  arch_level, r1
    lds  r18, arch_requested
    sbrc r18, 0
    rjmp continues_later
    ret
continues_later:
    ldi  r18, ARCH_REQUEST_VALUE
    sts  ARCH_REQUEST_REGISTER, r18
    ret
by_c:
    leave_stack r18, r19, r26, r27
    set_level LEVEL_KERNEL
    movw r24, r30
    call ready_remove
    lds  r24, arch_requested
    sbrc r24, 0
    rjmp by_c_serves
    first_ready
by_c_served:
    set_level LEVEL_LEAVING
    take_stack_back r18, r19
    breq waited
    rjmp wait_saved
by_c_serves:
    call kernel_serve
    rjmp by_c_served
    .size leave_ready, . - leave_ready

/* void kernel_leave(void *argument, arch_do_fn *fn): as kernel_call, for a thread that ends. */
    .section .text.switch.leave, "ax"
    function kernel_leave
    in   r18, SREG
    sbrs r18, 7
    rjmp leaves_no_thread
    lds  r18, arch_level
    tst  r18
    brne leaves_no_thread
    lds  r30, kernel + KERNEL_CURRENT
    lds  r31, kernel + KERNEL_CURRENT + 1
    ldd  r28, Z+THREAD_STACK_LIMIT
    ldd  r29, Z+THREAD_STACK_LIMIT + 1
    in   r26, SPL
    in   r27, SPH
    cp   r26, r28
    cpc  r27, r29
    brcs overflow_in_leave
    ld   r18, Y
    cpi  r18, STACK_PAINT
    brne overflow_in_leave
    ldi  r18, LEVEL_LEAVING
    sts  arch_level, r18
    leave_stack r18, r19, r26, r27
    ldi  r18, LEVEL_KERNEL
    sts  arch_level, r18
    movw r30, r22
    icall
    set_level LEVEL_LEAVING
    lds  r26, kernel + KERNEL_READY
    lds  r27, kernel + KERNEL_READY + 1
    jmp  switch_to
overflow_in_leave:
    jmp  panic_overflow
leaves_no_thread:
    jmp  panic_no_thread
    .size kernel_leave, . - kernel_leave

/* ---------------------------------------------------------------- how threads begin, and idling */
    .weak thread_exit
    .section .text.begin, "ax"
/* Where the first frame of a thread continues (arch_stack_prepare).
 * stack: the function, its argument */
    function thread_begins
    pop  r30
    pop  r31
    pop  r24
    pop  r25
    sts  arch_level, r1
    lds  r18, arch_requested
    sbrc r18, 0
    rcall request
    icall
    .global thread_return
thread_return:
    call thread_exit
    .size thread_begins, . - thread_begins

/* Requests the kernel level in a thread, where it runs at once. */
request:
    ldi  r18, ARCH_REQUEST_VALUE
    sts  ARCH_REQUEST_REGISTER, r18
    ret

/* void arch_start_threads(void *top, void (*entry)(void *argument)): start-up becomes the idle
 * thread. */
    function arch_start_threads
    sbiw r24, 1
    out  SPH, r25
    out  SPL, r24
    movw r30, r22
    ldi  r24, 0
    ldi  r25, 0
    sei
    icall
    .size arch_start_threads, . - arch_start_threads

/* SEI takes effect after the instruction that follows it: no interrupt comes between the tests and
 * the sleep. One that comes right before CLI returns there, and what it has requested is not done
 * yet: it might not end the sleep, and may have changed a limit. */
    function arch_idle
1:  sei
    nop
    cli
    lds  r24, ARCH_BUSY_REGISTER
    andi r24, ARCH_BUSY_BITS
    lds  r25, arch_requested
    or   r24, r25
    brne 1b
    sei
    sleep
    rjmp 1b
    .size arch_idle, . - arch_idle
