/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What conductors share: who acts in a run, and the steps from its begin to its verdict. */
#ifndef TEST_FORCE_FRAME_RUN_H
#define TEST_FORCE_FRAME_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "force.h"

/* How often each actor began and came to its end: by one each, the stretch always. */
extern volatile uint8_t force_began[FORCE_ACTORS];
extern volatile uint8_t force_ended[FORCE_ACTORS];

/* What an actor does in this run; 0 if nothing. */
static inline const struct force_operation *force_operation_of(unsigned actor)
{
    unsigned number = force_choice.operation[actor];
    return number == 0 ? 0 : force_operations[number - 1];
}

/* Before the stretch: as if nothing had happened yet. */
void force_prepare(void);

/* Does once what somebody waits for and no actor does.
 * returns   true if there was anything
 */
bool force_settle(void);

/* After the run: who began has ended, and the laws of all objects. */
void force_check(void);

#endif
