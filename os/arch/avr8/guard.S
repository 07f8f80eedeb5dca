/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Events of programs that are loaded, and how one that fails is left: in images that have slots for
 * them (os/kernel/program/events.c). On the kernel's stack.
 */
#include "macros.inc"

    .section .bss.guard, "aw", @nobits
/* The stack pointer in arch_guarded, as long as that runs; else its high byte is 0. */
guard:
    .skip 2
/* What an entry of a panic overwrites. */
guard_top:
    .skip 2

/* bool arch_guarded(void *argument, arch_do_fn *fn, struct panic_record *record) */
    .section .text.guard, "ax"
    function arch_guarded
    push_preserved
    push r21
    push r20
    lds  r18, kernel_stack_top - 1
    lds  r19, kernel_stack_top - 2
    sts  guard_top, r18
    sts  guard_top + 1, r19
    in   r18, SPL
    in   r19, SPH
    sts  guard, r18
    sts  guard + 1, r19
    movw r30, r22
    icall
    ldi  r24, 1
    pop  r30
    pop  r31
guard_ends:
    sts  guard + 1, r1
    pop_preserved
    ret
    .size arch_guarded, . - arch_guarded

/* In place of panic_record_begin: go_from of panic.S has called it. What has failed is the handler, or
 * a function that it called, if it was at the kernel level and no interrupt.
 * in: r13:r12 the place, r8 the level, r9 SREG, r16 reason, r15:r14 detail */
    .section .text.guard.panic, "ax"
    function panic_begin_guarded
    lds  r19, guard + 1
    tst  r19
    breq is_other
    mov  r20, r8
    cpi  r20, LEVEL_KERNEL
    brne is_other
    sbrs r9, 7
    rjmp is_other
    cpi  r16, PANIC_CONTEXT
    breq 1f
    cpi  r16, PANIC_FAULT + 1
    brcc is_other
1:  lds  r20, guard_top
    lds  r21, guard_top + 1
    sts  kernel_stack_top - 1, r20
    sts  kernel_stack_top - 2, r21
    lds  r18, guard
    load_sp r19, r18
    pop  r30
    pop  r31
    std  Z+PANIC_REASON, r16
    std  Z+PANIC_PC, r12
    std  Z+PANIC_PC + 1, r13
    std  Z+PANIC_DETAIL, r14
    std  Z+PANIC_DETAIL + 1, r15
    ldi  r24, 0
    jmp  guard_ends
is_other:
    jmp  panic_begin_of_programs
    .size panic_begin_guarded, . - panic_begin_guarded
