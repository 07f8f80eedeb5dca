/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The vector table in RAM. The table in flash is kept for the next reset. */
#include "arch/arch.h"

#include "arch/armv6m/system.h"

extern const uint32_t vectors_begin[], vectors_end[];

/* 16 exceptions and up to 32 interrupts; VTOR holds multiples of 256 (ARMv6-M ARM, B3.2.5). */
static __attribute__((aligned(256))) uint32_t table[48];

void arch_vectors_to_ram(void)
{
    /* The table in flash is addressed as an integer: it is at address 0, where no C object can be.
     */
    unsigned words = (uintptr_t)(vectors_end - vectors_begin);
    for (unsigned i = 0; i < words; i++) {
        table[i] = vectors_begin[i];
    }
    SCB_VTOR = (uint32_t)(uintptr_t)table;
}
