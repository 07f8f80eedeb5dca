/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Registers of the ATmega128: those of avr-libc. What is shared by several users is changed by
 * register_update, or by an assignment of one bit that the compiler makes SBI or CBI: registers
 * with data addresses below 0x40. */
#ifndef ATMEGA128_REGISTERS_H
#define ATMEGA128_REGISTERS_H

#include <avr/io.h>
#include <stdint.h>

#include <lichen/arch.h>

/* Sets the bits of `mask` to those of `bits`. Interrupts are off for 6 cycles.
 * context   any
 * blocks    no
 */
static inline void register_update(volatile uint8_t *at, uint8_t mask, uint8_t bits)
{
    uint8_t keep = (uint8_t)~mask;
    uint8_t value, status;
    __asm__ volatile("in %1, 0x3f\n\t"
                     "cli\n\t"
                     "ld %0, %a2\n\t"
                     "and %0, %3\n\t"
                     "or %0, %4\n\t"
                     "st %a2, %0\n\t"
                     "out 0x3f, %1"
                     : "=&r"(value), "=&r"(status)
                     : "e"(at), "r"(keep), "r"(bits)
                     : "memory");
}

/* Inverts the bits of `mask`. Interrupts are off for 5 cycles.
 * context   any
 * blocks    no
 */
static inline void register_toggle(volatile uint8_t *at, uint8_t mask)
{
    uint8_t value, status;
    __asm__ volatile("in %1, 0x3f\n\t"
                     "cli\n\t"
                     "ld %0, %a2\n\t"
                     "eor %0, %3\n\t"
                     "st %a2, %0\n\t"
                     "out 0x3f, %1"
                     : "=&r"(value), "=&r"(status)
                     : "e"(at), "r"(mask)
                     : "memory");
}

#endif
