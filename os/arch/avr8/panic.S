/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Entries of a panic. Each masks interrupts, and goes on to panic_at on the kernel's stack from its
 * top: nothing else uses that any more. */
#include "macros.inc"

/* in: r21:r20 reason, r19:r18 detail; the return address is on the stack */
    .section .text.panic, "ax"
    .type go, @function
go: in   r22, SREG
go_with_status:
    cli
    clr  r1
    in   r24, SPL
    in   r25, SPH
    movw r30, r24
    ldd  r17, Z+1                       /* the panic's stack may overwrite it */
    ldd  r16, Z+2
    ldi  r26, lo8(kernel_stack_top - 1)
    ldi  r27, hi8(kernel_stack_top - 1)
    out  SPH, r27
    out  SPL, r26
    jmp  panic_at
    .size go, . - go

/* void arch_panic(uint32_t reason, uint32_t detail) */
    function arch_panic
    movw r20, r22
    rjmp go
    .size arch_panic, . - arch_panic

/* void panic(uint32_t detail) */
    .section .text.panic.panic, "ax"
    function panic
    movw r18, r22
    ldi  r20, 1
    ldi  r21, 0
    jmp  go
    .size panic, . - panic

/* A failed assertion. */
    .section .text.panic.assert, "ax"
    function panic_assert
    ldi  r18, 0
    ldi  r19, 0
    ldi  r20, 1
    ldi  r21, 0
    jmp  go
    .size panic_assert, . - panic_assert

/* kernel_call outside of a thread. */
    .section .text.panic.no_thread, "ax"
    function panic_no_thread
    lds  r18, arch_level
    ldi  r19, 0
    ldi  r20, 5
    ldi  r21, 0
    jmp  go
    .size panic_no_thread, . - panic_no_thread

/* The program has come to the address of a reset without one. If it has called a pointer that is 0,
 * the record has the place of that call. in: r22 SREG */
    .section .text.panic.restart, "ax"
    function panic_restart
    ldi  r18, 0
    ldi  r19, 0
    ldi  r20, 2
    ldi  r21, 0
    jmp  go_with_status
    .size panic_restart, . - panic_restart

/* A thread's stack pointer is below its limit. in: r19:r18 the limit */
    .section .text.panic.overflow, "ax"
    function panic_overflow
    ldi  r20, 3
    ldi  r21, 0
    jmp  go
    .size panic_overflow, . - panic_overflow

/* The vector of an interrupt that has no handler. */
    .section .text.panic.unexpected, "ax"
    function unexpected_handler
    ldi  r18, 0
    ldi  r19, 0
    ldi  r20, 6
    ldi  r21, 0
    jmp  go
    .size unexpected_handler, . - unexpected_handler
