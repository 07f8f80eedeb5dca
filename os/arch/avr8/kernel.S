/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The kernel level of programs without threads: how interrupts and the main loop enter it, and how it
 * is left. Everything runs on one stack. It runs with interrupts on and is never entered twice,
 * since `arch_level` says that it runs. And what programs with threads share.
 */
#include "macros.inc"

    .section .text.entries.main, "ax"
/* A handler of level 1 has been entered.
 * in: Z the handler, r24 the level. stack: r31, r30, the level, r24, return address */
    function interrupt_of_main
    sbrc r24, 0
    jmp  interrupt_of_kernel
    set_level LEVEL_HANDLER
    push_changed
    in   r24, SPL
    in   r25, SPH
    icall
leaves:
    lds  r24, arch_requested
    sbrc r24, 0
    jmp  kernel_entry_of_main
    pop_changed
    jmp  exit_thread
    .size interrupt_of_main, . - interrupt_of_main

    .section .text.kernel, "ax"
/* stack: as push_changed leaves it. LEVEL_HANDLER */
    function kernel_entry_of_main
    sts  arch_requested, r1
    in   r24, SPL
    in   r25, SPH
    lds  r18, arch_deferred
    sbrc r18, 0
    call run_deferred
    in   r30, SPL
    in   r31, SPH
    branch_if_special special
serve_now:
    set_level LEVEL_KERNEL
    call kernel_serve_here
    set_level LEVEL_HANDLER
    lds  r24, arch_requested
    sbrc r24, 0
    rjmp kernel_entry_of_main
    pop_changed
    jmp  exit_thread
special:
    call interrupted_special
    brcc serve_now
    ldi  r24, 1
    sts  arch_requested, r24
    pop_changed
    jmp  exit_thread_last
    .size kernel_entry_of_main, . - kernel_entry_of_main

/* The interrupt has come to a restartable sequence (sequence.inc), which begins again, or to the
 * entry of another interrupt, whose exit has to serve the request: then the carry is set.
 * in: as branch_if_special leaves it. changes: r18-r21, r24-r27, r30, r31 */
    .section .text.kernel.special, "ax"
    function interrupted_special
    cpi  r26, lo8(entries_only_words)
    ldi  r18, hi8(entries_only_words)
    cpc  r27, r18
    brcs 4f
    movw r26, r30
    ldi  r30, lo8(sequence_table)
    ldi  r31, hi8(sequence_table)
    rjmp 2f
1:  lpm  r18, Z+
    lpm  r19, Z+
    lpm  r20, Z+
    lpm  r21, Z+
    cp   r24, r18
    cpc  r25, r19
    brcs 2f                             /* before it */
    cp   r20, r24
    cpc  r21, r25
    brcs 2f                             /* behind it */
    adiw r26, INTERRUPTED_PC
    st   X+, r19
    st   X, r18
    rjmp 3f
2:  ldi  r18, hi8(sequence_table_end)
    cpi  r30, lo8(sequence_table_end)
    cpc  r31, r18
    brne 1b
3:  clc
4:  ret
    .size interrupted_special, . - interrupted_special

/* int kernel_call(void *argument, void *second, arch_call_with_fn *fn): what the main loop or a
 * cooperative thread asks for. */
    .section .text.kernel.call, "ax"
    function call_of_main
    in   r18, SREG
    sbrs r18, 7
    rjmp no_thread
    lds  r18, arch_level
    tst  r18
    brne no_thread
    inc  r18
    sts  arch_level, r18
    movw r30, r20
    icall
1:  sts  arch_level, r1
    lds  r18, arch_requested
    sbrc r18, 0
    rjmp 2f
    ret
2:  ldi  r18, LEVEL_KERNEL
    sts  arch_level, r18
    push r25
    push r24
    call kernel_serve_here
    pop  r24
    pop  r25
    rjmp 1b
no_thread:
    jmp  panic_no_thread
    .size call_of_main, . - call_of_main

/* int arch_kernel_run(void *argument, void *second, arch_call_with_fn *fn): the same, but the
 * kernel level calls the function directly. */
    .section .text.kernel.run, "ax"
    function arch_kernel_run
    lds  r18, arch_level
    tst  r18
    brne 1f
    jmp  kernel_call
1:  movw r30, r20
    ijmp
    .size arch_kernel_run, . - arch_kernel_run

/* In a program without a kernel level a request only ends a wait. */
    .section .text.kernel.none, "ax"
    function none_serve
    sts  arch_requested, r1
    ldi  r24, 1
    sts  arch_woken, r24
    ret
    .size none_serve, . - none_serve
