/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Interrupt levels on a processor that has none.
 *
 * The processor takes any enabled interrupt while the I bit is set, and clears the bit. A handler of
 * level 0 leaves it cleared, and uses the stack that it finds. A handler of level 1 has an entry
 * (ARCH_ENTRY) that sets it again as soon as the source is quiet, so that level 0 waits for a few
 * cycles only. What keeps handlers of level 1 from interrupting each other is `arch_level`: an entry
 * that finds bit 1 set notes that its handler is wanted, and returns; what runs calls it.
 *
 *   arch_level      (state.S) LEVEL_THREAD, LEVEL_KERNEL; LEVEL_HANDLER in a handler of level 1;
 *                   LEVEL_LEAVING at the kernel level on the stack of a thread
 *   arch_requested  the kernel level, or the exit of a handler, has something to do
 *   arch_deferred   that is a handler, whose entry has found bit 1 set
 *
 * Handlers of level 1 run on the kernel's stack. In programs with threads, one that has interrupted
 * a thread changes stacks (switch.S); one that has interrupted the kernel level is there already.
 * Where the kernel level itself is on a thread's stack, before it has left it and after it has gone
 * back, bit 1 is set, and handlers wait: for a few instructions, or until a wait of that thread has
 * switched to another one (block.S), 190 cycles.
 *
 * The kernel level is entered from the exit of a handler of level 1 that has interrupted a thread.
 * Handlers of level 0 have no such exit, and threads have none at all: they enable an interrupt that
 * is always pending, ARCH_REQUEST_INTERRUPT.
 *
 * Two exits test a byte and then leave, exit_kernel and exit_thread. An interrupt that sets the byte
 * after the test, and returns before the CLI of the exit, moves its return address back to the test
 * (look_again). So interrupts are never off for more than 12 cycles, entry and return included.
 *
 * An interrupt that finds `arch_level` 0 may have come to the entry of another one, before that has
 * set it. All entries lie between entries_begin and entries_end, and the kernel level is not entered
 * from there; the entry's own exit does it.
 */
#include "macros.inc"

/* Programs without threads stay on one stack (kernel.S). */
    .global interrupt_of_main

    .section .text.levels, "ax"
/* A handler of level 1 has interrupted the kernel level. Programs with threads have another one for
 * threads, interrupt_of_thread, and others interrupt_of_main.
 * in: Z the handler. stack: r31, r30, the level, r24, return address */
    function interrupt_of_kernel
    set_level LEVEL_HANDLER
    push_changed
    in   r24, SPL
    in   r25, SPH
    icall
    lds  r24, arch_deferred
    sbrc r24, 0
    rjmp deferred_above_kernel
interrupt_of_kernel_ends:
    pop_changed
/* Each exit: EXIT_WORDS words. */
#define EXIT_WORDS 10
exit_kernel:
    lds  r24, arch_deferred
    sbrc r24, 0
    rjmp handler_of_kernel
    cli
    pop  r24
    sts  arch_level, r24
    pop  r24
    reti
    .global exit_thread, exit_thread_last
exit_thread:
    lds  r24, arch_requested
    sbrc r24, 0
    rjmp handler_of_thread
exit_thread_last:
    cli
    pop  r24
    sts  arch_level, r24
    pop  r24
    reti

/* There is something to do, at the last moment. As if nothing had been done yet, but for what has
 * called. */
handler_of_kernel:
    push r30
    push r31
    ldi  r30, lo8(gs(no_handler))
    ldi  r31, hi8(gs(no_handler))
    rjmp interrupt_of_kernel
handler_of_thread:
    push r30
    push r31
    ldi  r30, lo8(gs(no_handler))
    ldi  r31, hi8(gs(no_handler))
    ldi  r24, LEVEL_THREAD
    jmp  interrupt_entered

deferred_above_kernel:
    in   r24, SPL
    in   r25, SPH
    rcall run_deferred
    rjmp interrupt_of_kernel_ends
    .size interrupt_of_kernel, . - interrupt_of_kernel

    function no_handler
    ret
    .size no_handler, . - no_handler

/* Calls the handlers whose entries have been deferred. At LEVEL_HANDLER.
 * in: r25:r24 for them, as their entries would have it. changes: what a call may change */
    function run_deferred
    sts  arch_deferred, r1
    ldi  r26, lo8(deferred_begin)
    ldi  r27, hi8(deferred_begin)
    ldi  r30, lo8(deferred_table)
    ldi  r31, hi8(deferred_table)
    rjmp 3f
1:  ld   r18, X
    tst  r18
    breq 2f
    st   X, r1
    .irp register, 24, 25, 26, 27, 30, 31
    push r\register
    .endr
    lpm  r18, Z+
    lpm  r19, Z
    movw r30, r18
    icall
    .irp register, 31, 30, 27, 26, 25, 24
    pop  r\register
    .endr
2:  adiw r26, 1
    adiw r30, 2
3:  ldi  r18, hi8(deferred_end)
    cpi  r26, lo8(deferred_end)
    cpc  r27, r18
    brne 1b
    ret
    .size run_deferred, . - run_deferred

/* What entries go on to that run nothing. It is beside them, where it can be fetched while a page of flash
 * is written (chip/code.h). */
    .section .text.beside_entries, "ax"
/* An entry has found another handler running, and has set `deferred`.
 * stack: r24, return address */
    function low_defer
    ldi  r24, 1
    sts  arch_deferred, r24
    sts  arch_requested, r24
    .size low_defer, . - low_defer

/* Ends an interrupt that has set a byte that exits test. If it has come to one of them after the
 * test, and before its CLI has run, the exit tests again.
 * stack: r24, return address */
    function look_again
    in   r24, SREG
    push r24
    push r25
    push r30
    push r31
    in   r30, SPL
    in   r31, SPH
    ldd  r25, Z+6
    ldd  r24, Z+7
    subi r24, lo8(pm(exit_kernel))
    sbci r25, hi8(pm(exit_kernel))
    tst  r25                            /* SBCI can only clear the Z flag */
    brne 2f
    cpi  r24, 2 * EXIT_WORDS
    brcc 2f
    ldi  r25, hi8(pm(exit_kernel))
    cpi  r24, EXIT_WORDS
    ldi  r24, lo8(pm(exit_kernel))
    brcs 1f
    ldi  r25, hi8(pm(exit_thread))
    ldi  r24, lo8(pm(exit_thread))
1:  std  Z+6, r25
    std  Z+7, r24
2:  pop  r31
    pop  r30
    pop  r25
    pop  r24
    out  SREG, r24
    pop  r24
    reti
    .size look_again, . - look_again

/* ---------------------------------------------------------------- requests of the kernel level */
    .section .lichen.vectors, "a"
    .reloc 0, R_AVR_NONE, vector_SPM_READY

/* The vector of ARCH_REQUEST_INTERRUPT. The store is executed before another interrupt is taken. */
    .section .text.entries.request, "ax"
    function request_handler
    push r24
    ldi  r24, 0
    sei
    sts  ARCH_REQUEST_REGISTER, r24
    lds  r24, arch_level
    sbrc r24, 0
    rjmp is_under_way
    sbrc r24, 1
    rjmp is_under_way
    push r24
    push r30
    push r31
    ldi  r30, lo8(gs(no_handler))
    ldi  r31, hi8(gs(no_handler))
    jmp  interrupt_entered
/* What is interrupted serves the request before it leaves. */
is_under_way:
    jmp  look_again
    .size request_handler, . - request_handler
