/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How to count cycles, and what calls may take (packet_cost/samr21/cost_of_chip.h has the names).
 */
#ifndef COST_OF_CHIP_H
#define COST_OF_CHIP_H

#include <avr/io.h>
#include <stdint.h>

#include <lichen/init.h>

/* Timer 3 counts cycles. */
typedef uint16_t cycles_t;

static void cycles_start(void)
{
    TCCR3B = 1 << CS30;
}
INIT(cycles_start);

static inline __attribute__((always_inline)) cycles_t cycles_now(void)
{
    return TCNT3;
}

#define ALLOC_SHORT   413
#define ALLOC_FRAME   433
#define FREE_SHORT    269
#define FREE_FRAME    269
#define PREPEND       425
#define APPEND        496
#define TRIM          113
#define WRITE_FRAME   1082
#define READ_FRAME    1061
#define GATHER        173
#define CURSOR        45
#define TAKE_SPARE    44
#define PARSE_PLAIN   1425
#define PARSE_SECURED 2142
#define BUILD_PLAIN   646
#define FCS_FRAME     3068

#endif
