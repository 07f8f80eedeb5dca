/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Registers of the AVR core. */
#ifndef AVR8_PROCESSOR_H
#define AVR8_PROCESSOR_H

#include <stdint.h>

#include "arch/arch.h"

extern uint8_t ram_begin[], ram_end[];

/* The first free byte of the stack. */
static inline uint8_t *stack_pointer(void)
{
    uint8_t low, high;
    __asm__ volatile("in %0, 0x3d\n\tin %1, 0x3e" : "=r"(low), "=r"(high));
    return (uint8_t *)(uintptr_t)((unsigned)high << 8 | low);
}

static inline void interrupts_mask(void)
{
    __asm__ volatile("cli" : : : "memory");
}

/* Nothing on the stack in use is needed any more. Its frame pointer is not used after this. */
static inline __attribute__((always_inline)) void take_kernel_stack(void)
{
    __asm__ volatile("out 0x3e, %B0\n\tout 0x3d, %A0" : : "r"(kernel_stack_top - 1) : "memory");
}

#endif
