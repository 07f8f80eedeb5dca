/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Random numbers of every size, the same in every run. */
#ifndef TEST_MOTE_DEADLINES_RANDOM_H
#define TEST_MOTE_DEADLINES_RANDOM_H

#include <stdint.h>

/* A number less than `count`. */
uint32_t random_below(uint32_t count);

/* A number of 0 to `bits` bits, each length equally likely; `bits` is less than 64. */
uint64_t random_of(unsigned bits);

#endif
