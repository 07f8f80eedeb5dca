/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The stack that is in use: ARMv6-M. */
#ifndef TEST_FORCE_FRAME_FORCE_STACK_H
#define TEST_FORCE_FRAME_FORCE_STACK_H

#include <stdbool.h>
#include <stdint.h>

/* Whether software moves handlers of a level to the kernel's stack: here the processor does. */
static inline bool force_on_kernels_stack(unsigned level)
{
    (void)level;
    return false;
}

/* The end of the memory below it that nothing uses. */
static inline __attribute__((always_inline)) const uint32_t *force_stack_pointer(void)
{
    const uint32_t *sp;
    __asm__ volatile("mov %0, sp" : "=r"(sp));
    return sp;
}

#endif
