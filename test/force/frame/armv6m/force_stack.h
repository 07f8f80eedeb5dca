/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The stack that is in use: ARMv6-M. */
#ifndef TEST_FORCE_FRAME_FORCE_STACK_H
#define TEST_FORCE_FRAME_FORCE_STACK_H

#include <stdint.h>

/* The end of the memory below it that nothing uses. */
static inline __attribute__((always_inline)) const uint32_t *force_stack_pointer(void)
{
    const uint32_t *sp;
    __asm__ volatile("mov %0, sp" : "=r"(sp));
    return sp;
}

#endif
