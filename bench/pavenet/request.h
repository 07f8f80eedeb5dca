/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Interrupts requested by software, for benchmarks (ARMv6-M ARM, B3.4.4). The request takes effect
 * when the store ends. */
#ifndef BENCH_REQUEST_H
#define BENCH_REQUEST_H

#include <stdint.h>

#include "../kernel/mark.h"

#define NVIC_ISPR (*(volatile uint32_t *)0xe000e200u)

/* Stores `lines` into ISPR, one bit per line; `mark` is the address of the store. */
#define REQUEST(mark, lines)                                                                       \
    __asm__ volatile(".global " #mark "\n\t.thumb_func\n" #mark ":\n\tstr %0, [%1]"                \
                     :                                                                             \
                     : "l"(lines), "l"(&NVIC_ISPR)                                                 \
                     : "memory")

#define TCC0_LINE (1u << 15)
#define TCC1_LINE (1u << 16)

#endif
