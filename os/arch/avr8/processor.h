/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Registers of the AVR core. */
#ifndef AVR8_PROCESSOR_H
#define AVR8_PROCESSOR_H

#include <stdint.h>

#include "arch/arch.h"

extern uint8_t ram_begin[], ram_end[];

static inline void interrupts_mask(void)
{
    __asm__ volatile("cli" : : : "memory");
}

#endif
