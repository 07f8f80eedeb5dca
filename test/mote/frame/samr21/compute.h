/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Computing for a number of cycles. The same names for every chip. */
#ifndef TEST_MOTE_FRAME_COMPUTE_H
#define TEST_MOTE_FRAME_COMPUTE_H

#include <stdint.h>

/* Cycles of a millisecond at the clock after start-up, and of a tick. */
#define MS_CYCLES   UINT32_C(8000)
#define TICK_CYCLES UINT32_C(244)

/* Takes at least `cycles`, and hardly more; interrupts make it longer. */
static inline __attribute__((always_inline)) void compute_cycles(uint32_t cycles)
{
    uint32_t turns = cycles / 3 + 1;
    __asm__ volatile("1: sub %0, #1\n\tbne 1b" : "+l"(turns) : : "cc");
}

/* The same in microseconds. */
static inline void compute_us(uint32_t us)
{
    compute_cycles(us * (MS_CYCLES / 1000));
}

#endif
