/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Computing for a number of cycles (frame/samr21/compute.h has the names). */
#ifndef TEST_MOTE_FRAME_COMPUTE_H
#define TEST_MOTE_FRAME_COMPUTE_H

#include <stdint.h>

#define MS_CYCLES   UINT32_C(7373)
#define TICK_CYCLES UINT32_C(7200)

static inline __attribute__((always_inline)) void compute_cycles(uint32_t cycles)
{
    uint32_t turns = cycles / 6;
    __asm__ volatile("1: subi %A0, 1\n\t"
                     "sbci %B0, 0\n\t"
                     "sbci %C0, 0\n\t"
                     "sbci %D0, 0\n\t"
                     "brcc 1b"
                     : "+d"(turns)
                     :
                     : "cc");
}

static inline void compute_us(uint32_t us)
{
    compute_cycles(us * 7 + us / 2);
}

#endif
