/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Entries of a panic. Each masks interrupts, and goes on with the kernel's stack from its top: nothing
 * else uses that any more. The place is kept in registers that C preserves until the record takes it. */
#include "macros.inc"

    .global panic_begin                 /* os/kernel/panic/record.c, or what calls it */

/* void arch_panic(uintptr_t reason, uintptr_t detail) */
    .section .text.panic, "ax"
    function arch_panic
    mov  r16, r24
    movw r14, r22
    .size arch_panic, . - arch_panic

/* in: r16 reason, r15:r14 detail; the return address is on the stack */
    .type go, @function
go: in   r9, SREG
go_with_status:
    cli
    lds  r8, arch_level
    in   r30, SPL
    in   r31, SPH
    ldd  r25, Z+1
    ldd  r24, Z+2
    adiw r30, 2
    sbiw r24, 1                         /* in the call */
    .size go, . - go

/* in: r25:r24 the place, r31:r30 its stack pointer, r8 the level, r9 SREG, r16 reason, r15:r14 detail */
    .type go_from, @function
go_from:
    clr  r1
    movw r12, r24
    movw r10, r30
    ldi  r30, lo8(kernel_stack_top - 1)
    ldi  r31, hi8(kernel_stack_top - 1)
    out  SPH, r31
    out  SPL, r30
    call panic_record_begin
    movw r30, r24                       /* and an argument of panic_record_end */
    std  Z+PANIC_REASON, r16            /* what is not stored is 0 */
    std  Z+PANIC_PC, r12
    std  Z+PANIC_PC+1, r13
    std  Z+PANIC_SP, r10
    std  Z+PANIC_SP+1, r11
    std  Z+PANIC_STATUS, r9
    std  Z+PANIC_STATUS+1, r8
    std  Z+PANIC_DETAIL, r14
    std  Z+PANIC_DETAIL+1, r15
    jmp  panic_record_end
    .size go_from, . - go_from

/* void arch_panic_interrupted(uintptr_t reason, uintptr_t detail, const struct exception_frame *interrupted) */
    .section .text.panic.interrupted, "ax"
    function arch_panic_interrupted
    cli
    movw r30, r20
    mov  r16, r24
    movw r14, r22
    ldi  r18, 0x80                      /* interrupts were on */
    mov  r9, r18
    ldd  r8, Z+INTERRUPTED_LEVEL
    ldd  r25, Z+INTERRUPTED_PC
    ldd  r24, Z+INTERRUPTED_PC+1
    adiw r30, INTERRUPTED_PC+1
    jmp  go_from
    .size arch_panic_interrupted, . - arch_panic_interrupted

/* void panic(uintptr_t detail) */
    .section .text.panic.panic, "ax"
    function panic
    movw r14, r24
    ldi  r16, PANIC_ASSERT
    jmp  go
    .size panic, . - panic

/* A failed assertion. */
    .section .text.panic.assert, "ax"
    function panic_assert
    clr  r14
    clr  r15
    ldi  r16, PANIC_ASSERT
    jmp  go
    .size panic_assert, . - panic_assert

/* kernel_call outside of a thread. */
    .section .text.panic.no_thread, "ax"
    function panic_no_thread
    lds  r14, arch_level
    clr  r15
    ldi  r16, PANIC_CONTEXT
    jmp  go
    .size panic_no_thread, . - panic_no_thread

/* The program has come to the address of a reset without one. If it has called a pointer that is 0,
 * the record has the place of that call. in: r9 SREG */
    .section .text.panic.restart, "ax"
    function panic_restart
    clr  r14
    clr  r15
    ldi  r16, PANIC_FAULT
    jmp  go_with_status
    .size panic_restart, . - panic_restart

/* A thread's stack pointer is below its limit. in: r19:r18 the limit */
    .section .text.panic.overflow, "ax"
    function panic_overflow
    movw r14, r18
    ldi  r16, PANIC_STACK
    jmp  go
    .size panic_overflow, . - panic_overflow

/* The vector of an interrupt that has no handler. */
    .section .text.panic.unexpected, "ax"
    function unexpected_handler
    clr  r14
    clr  r15
    ldi  r16, PANIC_INTERRUPT
    jmp  go
    .size unexpected_handler, . - unexpected_handler
