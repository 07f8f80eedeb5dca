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

/* Advances to the moment at which runs begin, shortly before 32 bits of ticks wrap. Called once per
 * run. */
void moment_prepare(void);

/* The most ticks that pass from when something is due and nothing delays it until it is done: 40
 * for the alarm, and the clock domain crossings of other deadlines. */
#define LATE_TICKS 60u

/* How many ticks an alarm's compare value takes to cross. */
#define SETTING_TICKS 8u

/* Ticks of a time in microseconds, rounded down. */
#define TICKS_OF_US(us) ((uint64_t)(us)*512u / 15625u)

/* The reference's clock, compared with the kernel's at the program's start: smaller and larger
 * times are left to the kernel's. */
extern uint64_t least_ahead;
extern uint64_t most_ahead;

#endif
