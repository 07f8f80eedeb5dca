/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The operations of this program. */
#ifndef TEST_FORCE_LONG_LONG_H
#define TEST_FORCE_LONG_LONG_H

#include "force.h"

/* deadlines.c */
extern const struct force_operation operation_arm;
extern const struct force_operation operation_sleep;

/* clock.c */
extern const struct force_operation operation_look;

/* long.c */
extern const struct force_operation operation_hold;

/* Advances to the moment at which runs begin, shortly before the tick's counter wraps. Called once
 * per run. */
void moment_prepare(void);

/* Ticks of a time in microseconds, rounded down; and the tick of a reading. */
#define TICKS_PER_15625_US (CHIP_TICK_HZ / 64u)
#define TICKS_OF_US(us)    ((uint64_t)(us)*TICKS_PER_15625_US / 15625u)

static inline uint64_t tick_of_reading(uint64_t us)
{
    return (us * TICKS_PER_15625_US + 15624u) / 15625u;
}

/* The reference's clock, compared with the kernel's at the program's start: smaller and larger
 * times are left to the kernel's. */
extern uint64_t least_ahead;
extern uint64_t most_ahead;

#endif
