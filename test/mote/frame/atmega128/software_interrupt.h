/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Interrupts requested by software (frame/samr21/software_interrupt.h has the names): two sources
 * of the ATmega128 that request an interrupt whenever they are enabled, since they have nothing to
 * do. USART1's data register is empty: level 0. The EEPROM is ready: level 1. And at the drivers'
 * level USART0's data register, in programs without a console.
 */
#ifndef TEST_MOTE_FRAME_SOFTWARE_INTERRUPT_H
#define TEST_MOTE_FRAME_SOFTWARE_INTERRUPT_H

#include <avr/io.h>
#include <stdint.h>

#include <lichen/interrupt.h>

#define SOFTWARE_VECTOR_0 USART1_UDRE
#define SOFTWARE_VECTOR_1 EE_READY

#define SOFTWARE_INTERRUPT(level)  SOFTWARE_INTERRUPT_(level)
#define SOFTWARE_INTERRUPT_(level) SOFTWARE_INTERRUPT_##level

/* The vector is the handler. */
#define SOFTWARE_INTERRUPT_0                                                                       \
    ARCH_VECTOR(USART1_UDRE);                                                                      \
    ARCH_SECOND_NAME("entry_USART1_UDRE", "__vector_software_0");                                  \
    void __vector_software_0(void) __attribute__((signal, used));                                  \
    static inline __attribute__((always_inline)) void software_0(void);                            \
    void __vector_software_0(void)                                                                 \
    {                                                                                              \
        UCSR1B = 0;                                                                                \
        software_0();                                                                              \
    }                                                                                              \
    static inline __attribute__((always_inline)) void software_0(void)

/* Its entry disables the source. */
#define SOFTWARE_INTERRUPT_1 INTERRUPT(EE_READY)

#define SOFTWARE_INTERRUPTS_BY(of_level) of_level(0) of_level(1)

#define SOFTWARE_INTERRUPTS(function)                                                              \
    SOFTWARE_INTERRUPT(0)                                                                          \
    {                                                                                              \
        function(0);                                                                               \
    }                                                                                              \
    SOFTWARE_INTERRUPT(1)                                                                          \
    {                                                                                              \
        function(1);                                                                               \
    }

#define SOFTWARE_EACH_LEVEL(of_level, name) of_level(0, name) of_level(1, name)

#define SOFTWARE_INTERRUPT_NUMBERS 31, 22

#define SOFTWARE_LEVELS 3u

static inline void software_interrupts_enable(void)
{
}

/* EE_READY comes first, having the lower number, but its entry lets level 0 interrupt it before its
 * handler begins. Inlined, as otherwise the compiler concludes that this changes no variable. */
static inline __attribute__((always_inline)) void software_interrupts(unsigned levels)
{
    uint8_t status = SREG;
    __asm__ volatile("cli" : : : "memory");
    if (levels & 1u) {
        UCSR1B = 1 << UDRIE1;
    }
    if (levels & 2u) {
        EECR = 1 << EERIE;
    }
    __asm__ volatile("out __SREG__, %0\n\tnop\n\tnop" : : "r"(status) : "memory");
}

/* Its entry disables the source. */
#define SOFTWARE_DRIVER_INTERRUPT() INTERRUPT(USART0_UDRE)

static inline void software_driver_interrupt_enable(void)
{
}

static inline __attribute__((always_inline)) void software_driver_interrupt(void)
{
    UCSR0B |= 1 << UDRIE0;
    __asm__ volatile("nop\n\tnop" : : : "memory");
}

#endif
