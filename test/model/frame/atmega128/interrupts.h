/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The interrupts that act (frame/samr21/interrupts.h has the names). A handler of level 0 uses the
 * stack that it finds, and asking takes more of it than six threads have room for, so it goes over
 * to a stack of its own. Interrupts are off meanwhile.
 */
#ifndef TEST_MODEL_FRAME_INTERRUPTS_H
#define TEST_MODEL_FRAME_INTERRUPTS_H

#include "software_interrupt.h"

#define URGENT_STACK 160u

#define MODEL_INTERRUPTS(function)                                                                 \
    void model_urgent(void) __attribute__((used));                                                 \
    void model_urgent(void)                                                                        \
    {                                                                                              \
        function(0);                                                                               \
    }                                                                                              \
    uint8_t model_urgent_stack[URGENT_STACK] __attribute__((used));                                \
    SOFTWARE_INTERRUPT(0)                                                                          \
    {                                                                                              \
        const uint8_t *top = model_urgent_stack + URGENT_STACK - 1;                                \
        __asm__ volatile("in r16, 0x3d\n\tin r17, 0x3e\n\t"                                        \
                         "out 0x3e, %B0\n\tout 0x3d, %A0\n\t"                                      \
                         "call model_urgent\n\t"                                                   \
                         "out 0x3e, r17\n\tout 0x3d, r16"                                          \
                         :                                                                         \
                         : "r"(top)                                                                \
                         : "r16", "r17", "r18", "r19", "r20", "r21", "r22", "r23", "r24", "r25",   \
                           "r26", "r27", "r30", "r31", "cc", "memory");                            \
    }                                                                                              \
    SOFTWARE_INTERRUPT(1)                                                                          \
    {                                                                                              \
        function(1);                                                                               \
    }

#endif
