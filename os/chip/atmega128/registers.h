/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Registers of the ATmega128: those of avr-libc. What is shared by several users is changed by
 * register_update, or by an assignment of one bit that the compiler makes SBI or CBI: registers
 * with data addresses below 0x40. */
#ifndef ATMEGA128_REGISTERS_H
#define ATMEGA128_REGISTERS_H

#include <avr/io.h>
#include <stdint.h>

#include <lichen/arch.h>

/* The data address of I/O register 0. Those up to 63 are reached by IN and OUT. */
#define IO_BEGIN 0x20u
#define IO_END   0x60u

/* Sets the bits of `mask` to those of `bits`. Interrupts are off for 6 cycles, for 4 if IN and OUT
 * reach the register.
 * context   any
 * blocks    no
 */
static inline __attribute__((always_inline)) void register_update(volatile uint8_t *at,
                                                                  uint8_t mask, uint8_t bits)
{
    uint8_t keep = (uint8_t)~mask;
    /* Of a pointer the compiler never says that it is constant. */
    uintptr_t address = (uintptr_t)at;
    uint8_t value, status;
    if (__builtin_constant_p(address) && address < IO_END) {
        __asm__ volatile("in %1, 0x3f\n\t"
                         "cli\n\t"
                         "in %0, %2\n\t"
                         "and %0, %3\n\t"
                         "or %0, %4\n\t"
                         "out %2, %0\n\t"
                         "out 0x3f, %1"
                         : "=&r"(value), "=&r"(status)
                         : "n"(address - IO_BEGIN), "r"(keep), "r"(bits)
                         : "memory");
        return;
    }
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

/* Registers of 16 bits are read and written in two halves, by way of a byte that all share.
 * Interrupts are off for 5 cycles.
 * context   any
 * blocks    no
 */
static inline uint16_t register_read_16(const volatile uint16_t *at)
{
    uint8_t status = SREG;
    __asm__ volatile("cli" : : : "memory");
    uint16_t value = *at;
    SREG = status;
    return value;
}

static inline void register_write_16(volatile uint16_t *at, uint16_t value)
{
    uint8_t status = SREG;
    __asm__ volatile("cli" : : : "memory");
    *at = value;
    SREG = status;
}

#endif
