/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the tests of this program share: ticks of microseconds by plain division, which the kernel
 * does without, and numbers of every size. */
#ifndef TEST_MOTE_DEADLINES_EXACT_H
#define TEST_MOTE_DEADLINES_EXACT_H

#include <stdint.h>

/* The first tick at or after a time in microseconds. */
static inline uint64_t tick_of(uint64_t us)
{
    return us / 15625u * 512u + (us % 15625u * 512u + 15624u) / 15625u;
}

/* The next number of a row that is the same in every run. */
uint32_t random_next(void);

/* Less than `count`. */
static inline uint32_t random_below(uint32_t count)
{
    return random_next() % count;
}

/* Of 0 to `bits` bits, each as likely. */
static inline uint64_t random_of(unsigned bits)
{
    uint64_t number = (uint64_t)random_next() << 32 | random_next();
    return number >> 1 >> (63u - random_below(bits + 1));
}

#endif
