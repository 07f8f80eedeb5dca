/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Events of programs that are loaded, and how one that fails ends: in images that have slots for
 * them (os/kernel/program/events.c). On the kernel's stack.
 */
#include "macros.inc"

    .global program_event_failed        /* os/kernel/program/events.c */

/* The stack pointer in arch_guarded, as long as that runs; else its high byte is 0. */
    .section .bss.guard, "aw", @nobits
guard:
    .skip 2

/* bool arch_guarded(void *argument, arch_do_fn *fn) */
    .section .text.guard, "ax"
    function arch_guarded
    push_preserved
    in   r18, SPL
    in   r19, SPH
    sts  guard, r18
    sts  guard + 1, r19
    movw r30, r22
    icall
    ldi  r24, 1
guard_ends:
    sts  guard + 1, r1
    pop_preserved
    ret
    .size arch_guarded, . - arch_guarded

/* panic and panic_assert, as programs call them. The place is where the call is. */
    .section .text.guard.panic, "ax"
    function panic_assert_guarded
    clr  r24
    clr  r25
    function panic_guarded
    lds  r19, guard + 1
    tst  r19
    brne 1f
    jmp  panic
1:  lds  r18, guard
    pop  r23
    pop  r22
    subi r22, 1
    sbc  r23, r1
    load_sp r19, r18
    clr  r1
    call program_event_failed
    clr  r24
    jmp  guard_ends
    .size panic_guarded, . - panic_guarded
