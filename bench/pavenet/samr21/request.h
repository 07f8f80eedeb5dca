/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Interrupts requested by software, for benchmarks (ARMv6-M ARM, B3.4.4). The request takes effect
 * when the store ends.
 *
 *   HIGH, LOW         vectors whose interrupts REQUEST can request
 *   REQUEST           stores a request; `mark` is the address of the store
 *   REQUEST_SERVED    ends the request, in the handler
 */
#ifndef BENCH_REQUEST_H
#define BENCH_REQUEST_H

#include <stdint.h>

#define HIGH TCC0
#define LOW  TCC1

#define NVIC_ISPR (*(volatile uint32_t *)0xe000e200u)

#define REQUEST(mark, vector)  REQUEST_(mark, vector)
#define REQUEST_(mark, vector) REQUEST_##vector(mark)
#define REQUEST_TCC0(mark)     REQUEST_LINE(mark, 15)
#define REQUEST_TCC1(mark)     REQUEST_LINE(mark, 16)
#define REQUEST_LINE(mark, line)                                                                   \
    __asm__ volatile(".global " #mark "\n\t.thumb_func\n" #mark ":\n\tstr %0, [%1]"                \
                     :                                                                             \
                     : "l"(1u << (line)), "l"(&NVIC_ISPR)                                          \
                     : "memory")

/* The processor has ended it when it entered the handler. */
#define REQUEST_SERVED(vector)

#endif
