/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Code shared by the conductors: which actors act in a run, and the steps from its beginning to its
 * verdict. */
#ifndef TEST_FORCE_FRAME_RUN_H
#define TEST_FORCE_FRAME_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "force.h"

/* How often each actor began and ended: once each, the stretch always. */
extern volatile uint8_t force_began[FORCE_ACTORS];
extern volatile uint8_t force_ended[FORCE_ACTORS];

/* What an actor does in this run; 0 if nothing. */
static inline const struct force_operation *force_operation_of(unsigned actor)
{
    unsigned number = force_choice.operation[actor];
    return number == 0 ? 0 : force_operations[number - 1];
}

/* Before the stretch: puts everything into its initial state. */
void force_prepare(void);

/* Releases once each thread that no actor will release.
 * returns   true if there was any
 */
bool force_settle(void);

/* After the run: checks that every actor that began has ended, and the laws of all objects. */
void force_check(void);

#endif
