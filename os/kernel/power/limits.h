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
    __asm__("" : "+r"(reserve)); /* else ARM has two addresses */
    if (*(const arch_word_t *)(const void *)reserve != (arch_word_t)ARCH_STACK_PAINT) {
        arch_panic(PANIC_KERNEL_STACK, (uintptr_t)reserve);
    }
}

extern const volatile uint8_t power_limits_begin[], power_limits_end[];

/* The deepest mode that all limits allow now. */
static inline uint8_t power_limits_least(void)
{
    uint8_t mode = CHIP_SLEEP_MODES - 1;
    for (const volatile uint8_t *limit = power_limits_begin; limit < power_limits_end; limit++) {
        uint8_t deepest = (uint8_t)(*limit - 1u); /* 255 if there is no limit */
        if (deepest < mode) {
            mode = deepest;
        }
    }
    return mode;
}

#endif
