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

/* Goes on to the moment at which runs begin, shortly before 32 bits of ticks begin again. Once in a
 * run. */
void moment_prepare(void);

/* So many ticks pass at most, from when something is due and nobody holds it up, until it is done:
 * 40 of the alarm, and the crossing of what else is due. */
#define LATE_TICKS 60u

/* An alarm's compare value crosses in so many ticks. */
#define SETTING_TICKS 8u

/* Ticks of a time in microseconds, rounded down. */
#define TICKS_OF_US(us) ((uint64_t)(us)*512u / 15625u)

/* The reference's clock, set by the kernel's at the program's start: less and more than this is
 * left to the kernel's. */
extern uint64_t least_ahead;
extern uint64_t most_ahead;

#endif
