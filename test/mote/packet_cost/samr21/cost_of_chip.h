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

#define ALLOC_SHORT   342
#define ALLOC_FRAME   355
#define FREE_SHORT    265
#define FREE_FRAME    265
#define PREPEND       343
#define APPEND        398
#define TRIM          89
#define WRITE_FRAME   1161
#define READ_FRAME    1142
#define GATHER        122
#define CURSOR        29
#define TAKE_SPARE    38
#define PARSE_PLAIN   1018
#define PARSE_SECURED 1503
#define BUILD_PLAIN   425
#define FCS_FRAME     2686

#endif
