/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Vectors that software requests, for tasks. The same names for every chip; a task's body begins
 * with ACKNOWLEDGE of its vector.
 */
#ifndef RT_OF_CHIP_H
#define RT_OF_CHIP_H

#include <stdint.h>

#define NVIC_ISER (*(volatile uint32_t *)0xe000e100u)
#define NVIC_ISPR (*(volatile uint32_t *)0xe000e200u)

/* The table's vectors, and the task of each. */
#define URGENT TCC0
#define LESSER TCC1
#define EQUAL  TCC2
#define SENDS  ADC

#define ACKNOWLEDGE(vector)  ACKNOWLEDGE_(vector)
#define ACKNOWLEDGE_(vector) ((void)0)

#define LINE_OF_TCC0 15u
#define LINE_OF_TCC1 16u
#define LINE_OF_TCC2 17u
#define LINE_OF_ADC  23u

/* Has been served when this is over, if its level can interrupt. */
#define REQUEST(vector)  REQUEST_(vector)
#define REQUEST_(vector) request_line(LINE_OF_##vector)

static inline void request_line(unsigned line)
{
    NVIC_ISPR = 1u << line;
    __asm__ volatile("dsb\n\tisb" : : : "memory");
}

#endif
