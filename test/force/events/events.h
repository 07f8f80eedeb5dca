/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The operations of this program. */
#ifndef TEST_FORCE_EVENTS_EVENTS_H
#define TEST_FORCE_EVENTS_EVENTS_H

#include "force.h"

/* weave.c */
extern const struct force_operation operation_weave;
extern const struct force_operation operation_chain;
extern const struct force_operation operation_half;

#endif
