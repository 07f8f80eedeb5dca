/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How to count cycles, and what calls may take (packet_cost/samr21/cost_of_chip.h has the names).
 */
#ifndef COST_OF_CHIP_H
#define COST_OF_CHIP_H

#include <avr/io.h>
#include <stdint.h>

#include <lichen/init.h>

/* Timer 1 counts cycles. */
typedef uint16_t cycles_t;

static void cycles_start(void)
{
    TCCR1B = 1 << CS10;
}
INIT(cycles_start);

static inline __attribute__((always_inline)) cycles_t cycles_now(void)
{
    return TCNT1;
}

#define ALLOC_SHORT   415
#define ALLOC_FRAME   748
#define FREE_SHORT    295
#define FREE_FRAME    483
#define PREPEND       596
#define APPEND        585
#define TRIM          144
#define WRITE_FRAME   1414
#define READ_FRAME    1395
#define GATHER        474
#define CURSOR        47
#define TAKE_SPARE    44
#define PARSE_PLAIN   1443
#define PARSE_SECURED 2353
#define BUILD_PLAIN   646
#define FCS_FRAME     3068

#endif
