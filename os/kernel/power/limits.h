/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the choices of the depth of sleep share. */
#ifndef KERNEL_POWER_LIMITS_H
#define KERNEL_POWER_LIMITS_H

#include <lichen/panic.h>
#include <lichen/power.h>

#include "arch/arch.h"

/* Idling is the time to check: the stack is unused except for this call. The upper end of the
 * reserve lies next to the deepest use. */
static inline void kernel_stack_check(void)
{
    const uint8_t *reserve = kernel_stack_bottom + ARCH_STACK_RESERVE - sizeof(arch_word_t);
    if (*(const arch_word_t *)(const void *)reserve != (arch_word_t)ARCH_STACK_PAINT) {
        arch_panic(PANIC_KERNEL_STACK, (uintptr_t)reserve);
    }
}

/* The deepest mode that all limits allow now. */
uint8_t power_limits_least(void);

#endif
