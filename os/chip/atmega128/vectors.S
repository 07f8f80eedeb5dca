/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The vector table (ATmega128 data sheet, Interrupts).
 *
 * ARCH_INTERRUPT with the name of a vector defines its entry, anywhere in the program. A vector
 * without one leads to `unexpected_handler`, which panics, in programs that write flash by way of spm.S.
 *
 * Each vector is a section that refers to the one before it, and each handler refers to its vector, so
 * the table ends after the last one that has a handler. RJMP is a cycle shorter than JMP, and reaches
 * the entries, which the linker puts behind the table. Vectors are four bytes apart.
 */
    .macro vector number, name, before
    .section .vectors.\number, "ax"
    .balign 4
    .global vector_\name
    .type vector_\name, @object
vector_\name:
    .reloc 0, R_AVR_NONE, vector_\before
    .weak entry_\name
    rjmp entry_\name
    .size vector_\name, . - vector_\name
    .global interrupt_vector_\name
    .set interrupt_vector_\name, 1\number - 100
    .endm

    .section .text.nobody, "ax"
    .global nobody
    .type nobody, @function
nobody:
    jmp  unexpected_entered
    .size nobody, . - nobody

    .section .vectors, "ax"
    .global vectors                     /* named by the linker script */
    .type vectors, @object
vectors:
vector_reset:
    rjmp reset_handler
    .size vectors, . - vectors

    vector 01, INT0, reset
    vector 02, INT1, INT0
    vector 03, INT2, INT1
    vector 04, INT3, INT2
    vector 05, INT4, INT3
    vector 06, INT5, INT4
    vector 07, INT6, INT5
    vector 08, INT7, INT6
    vector 09, TIMER2_COMP, INT7
    vector 10, TIMER2_OVF, TIMER2_COMP
    vector 11, TIMER1_CAPT, TIMER2_OVF
    vector 12, TIMER1_COMPA, TIMER1_CAPT
    vector 13, TIMER1_COMPB, TIMER1_COMPA
    vector 14, TIMER1_OVF, TIMER1_COMPB
    vector 15, TIMER0_COMP, TIMER1_OVF
    vector 16, TIMER0_OVF, TIMER0_COMP
    vector 17, SPI_STC, TIMER0_OVF
    vector 18, USART0_RX, SPI_STC
    vector 19, USART0_UDRE, USART0_RX
    vector 20, USART0_TX, USART0_UDRE
    vector 21, ADC, USART0_TX
    vector 22, EE_READY, ADC
    vector 23, ANALOG_COMP, EE_READY
    vector 24, TIMER1_COMPC, ANALOG_COMP
    vector 25, TIMER3_CAPT, TIMER1_COMPC
    vector 26, TIMER3_COMPA, TIMER3_CAPT
    vector 27, TIMER3_COMPB, TIMER3_COMPA
    vector 28, TIMER3_COMPC, TIMER3_COMPB
    vector 29, TIMER3_OVF, TIMER3_COMPC
    vector 30, USART1_RX, TIMER3_OVF
    vector 31, USART1_UDRE, USART1_RX
    vector 32, USART1_TX, USART1_UDRE
    vector 33, TWI, USART1_TX
/* Requests the kernel level (os/arch/avr8/levels.S), in programs that have one or handlers of level 1. */
    .weak request_handler
    .section .vectors.34, "ax"
    .balign 4
    .global vector_SPM_READY
    .type vector_SPM_READY, @object
vector_SPM_READY:
    .reloc 0, R_AVR_NONE, vector_TWI
    rjmp request_handler
    .size vector_SPM_READY, . - vector_SPM_READY

/* What avr-libc's ISR() calls handlers, which no vector here would call: a program that defines one does not
 * link. */
    .irp number, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, \
        27, 28, 29, 30, 31, 32, 33, 34
    .global __vector_\number
    .set __vector_\number, 0
    .endr
