/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A panic whose place is what a handler has interrupted. */
#include "arch/arch.h"

#include "arch/avr8/processor.h"

/* The place is kept apart from the stack: the panic uses the kernel's from its top. */
_Noreturn void arch_panic_interrupted(uint32_t reason, uint32_t detail,
                                      const struct exception_frame *interrupted)
{
    static struct arch_place place;
    interrupts_mask();
    place.pc = ((uint32_t)interrupted->pc_high << 8 | interrupted->pc_low) * 2;
    place.lr = 0;
    place.sp = (uintptr_t)(interrupted + 1);
    place.status = (uint32_t)interrupted->level << 8 | ARCH_SREG_I;
    take_kernel_stack();
    panic_end(reason, detail, &place);
}
