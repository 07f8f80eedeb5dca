/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The operations of this program. */
#ifndef TEST_FORCE_TIMERS_TIMERS_H
#define TEST_FORCE_TIMERS_TIMERS_H

#include "force.h"

/* periodic.c */
extern const struct force_operation operation_every;
extern const struct force_operation operation_after;
extern const struct force_operation operation_stop;

/* idle.c */
extern const struct force_operation operation_limit;
extern const struct force_operation operation_rest;

#endif
