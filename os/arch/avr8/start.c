/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What start-up and the end of a program need of the processor. */
#include "arch/arch.h"

#include "arch/avr8/processor.h"

_Noreturn void arch_halt(void)
{
    interrupts_mask();
    for (;;) {
    }
}

bool arch_can_read(const void *address, size_t bytes)
{
    uintptr_t first = (uintptr_t)address;
    if (first >= ARCH_TEXT_BEGIN) {
        return true; /* text */
    }
    return first >= (uintptr_t)ram_begin && first <= (uintptr_t)ram_end &&
           bytes <= (uintptr_t)ram_end - first;
}

/* Sequences restart when the kernel level is entered (sequence.inc). */
void sequence_restart(void)
{
}
