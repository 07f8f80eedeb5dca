/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How to count cycles, and what calls may take. The same names for every chip. */
#ifndef COST_OF_CHIP_H
#define COST_OF_CHIP_H

#include <lichen/init.h>

#include "chip/chip.h"

typedef uint32_t cycles_t;

INIT(chip_cycle_counter_start);

/* The counter reaches half of its range only after the tests. */
void kernel_cycles_half(void)
{
}

static inline __attribute__((always_inline)) cycles_t cycles_now(void)
{
    return chip_cycle_counter;
}

#define ALLOC_SHORT   330
#define ALLOC_FRAME   462
#define FREE_SHORT    239
#define FREE_FRAME    267
#define PREPEND       419
#define APPEND        390
#define TRIM          104
#define WRITE_FRAME   1295
#define READ_FRAME    1276
#define GATHER        246
#define CURSOR        28
#define TAKE_SPARE    38
#define PARSE_PLAIN   1009
#define PARSE_SECURED 1488
#define BUILD_PLAIN   425
#define FCS_FRAME     2686

#endif
