/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The stack that is in use: AVR. */
#ifndef TEST_FORCE_FRAME_FORCE_STACK_H
#define TEST_FORCE_FRAME_FORCE_STACK_H

#include <stdbool.h>
#include <stdint.h>

/* Whether software moves handlers of a level to the kernel's stack. */
static inline bool force_on_kernels_stack(unsigned level)
{
    return level >= 1;
}

/* The end of the memory below it that only interrupts use. */
static inline __attribute__((always_inline)) const uint32_t *force_stack_pointer(void)
{
    uint8_t low, high;
    __asm__ volatile("in %0, 0x3d\n\tin %1, 0x3e" : "=r"(low), "=r"(high));
    uintptr_t free = (uintptr_t)((unsigned)high << 8 | low);
    return (const uint32_t *)(free + 1);
}

#endif
