/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The processor's own registers at start-up (start.S), and the ways to stop it.
 *
 * Start-up masks interrupts, because the kernel level assumes that it interrupts a
 * thread on the process stack, and there is none yet. arch_start_threads lifts the
 * mask for good.
 */
#include "arch/arch.h"

#include "arch/armv6m/system.h"

/* The paint covers the stack up to the part that start-up itself uses. */
static void kernel_stack_paint(void)
{
    const uint32_t *top = stack_pointer();
    for (uint32_t *word = (uint32_t *)(void *)kernel_stack_bottom; word < top; word++) {
        *word = ARCH_STACK_PAINT;
    }
}

void arch_init(void)
{
    volatile uint32_t *priorities = &SCB_SHPR2;
    __asm__("" : "+r"(priorities)); /* else each has an address of its own */
    priorities[0] = SHPR2_SVC(ARCH_LEVEL_KERNEL);
    priorities[1] = SHPR3_PENDSV(ARCH_LEVEL_KERNEL) | SHPR3_SYSTICK(ARCH_LEVEL_KERNEL);
    kernel_stack_paint();
}

/* What was written before, such as what the next start finds, is in memory by then: hence the
 * barrier. */
_Noreturn void arch_reset(void)
{
    __asm__ volatile("" : : : "memory");
    SCB_AIRCR = AIRCR_KEY | AIRCR_SYSRESETREQ;
    for (;;) {
    }
}

_Noreturn void arch_halt(void)
{
    interrupts_mask();
    for (;;) {
        __asm__ volatile("wfi");
    }
}
