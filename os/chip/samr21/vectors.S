/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The vector table (SAM R21 data sheet, section Nested Vectored Interrupt Controller).
 *
 * ARCH_INTERRUPT with the name of a line defines its handler, anywhere in the program. A line
 * without a handler leads to `unexpected_handler`, which panics and names the line.
 *
 * Each line is a section that refers to the one before it, and each handler refers to its line, so
 * the table ends after the last line that has a handler. Nothing enables a later line: whatever
 * enables a line, be it the kernel, a driver or a program, also defines its handler.
 */
    .syntax unified
    .cpu cortex-m0plus
    .thumb

/* The vector of an optional handler. */
    .macro taken_or_not name
    .weak \name\()_handler
    .word \name\()_handler
    .endm

/* A line: its vector, and its number for real-time tasks (lichen/rt.h), which takes no memory. */
    .macro line number, name, before
    .section .vectors.\number, "a"
    .global vector_\name
    .type vector_\name, %object
vector_\name:
    .reloc 0, R_ARM_NONE, vector_\before
    taken_or_not \name
    .size vector_\name, . - vector_\name
    .global interrupt_vector_\name
    .set interrupt_vector_\name, 1\number - 100
    .endm

/* A number that the chip does not use. */
    .macro gap number, before
    .section .vectors.\number, "a"
vector_\number:
    .reloc 0, R_ARM_NONE, vector_\before
    .word nobody
    .endm

    .section .vectors, "a"
    .global vectors                     /* named by the linker script */
    .type vectors, %object
vectors:
vector_exceptions:
    .word kernel_stack_top
    .word reset_handler
    taken_or_not NMI
    .word hard_fault_entered
    .word 0, 0, 0, 0, 0, 0, 0
    .word kernel_svc
    .word 0, 0
    .word kernel_pendsv
    taken_or_not SysTick
    .size vectors, . - vectors

    line 00, PM, exceptions
    line 01, SYSCTRL, PM
    line 02, WDT, SYSCTRL
    line 03, RTC, WDT
    line 04, EIC, RTC
    line 05, NVMCTRL, EIC
    line 06, DMAC, NVMCTRL
    line 07, USB, DMAC
    line 08, EVSYS, USB
    line 09, SERCOM0, EVSYS
    line 10, SERCOM1, SERCOM0
    line 11, SERCOM2, SERCOM1
    line 12, SERCOM3, SERCOM2
    line 13, SERCOM4, SERCOM3
    line 14, SERCOM5, SERCOM4
    line 15, TCC0, SERCOM5
    line 16, TCC1, TCC0
    line 17, TCC2, TCC1
    line 18, TC3, TCC2
    line 19, TC4, TC3
    line 20, TC5, TC4
    gap  21, TC5
    gap  22, 21
    line 23, ADC, 22
    line 24, AC, ADC
    gap  25, AC
    line 26, PTC, 25
