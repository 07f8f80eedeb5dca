/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A barrier for two threads, which the conductor completes.
 *
 * Laws: threads pass in pairs; no two threads wait at the same time; a wait with a deadline passes
 * or ends by the deadline, and then no longer counts.
 */
#include <lichen/barrier.h>

#include "operations.h"

#define PARTIES 2u

BARRIER(both, PARTIES);

static volatile uint8_t passed[FORCE_ACTORS + 1];  /* by actor, and the conductor */
static volatile uint8_t waits[FORCE_ACTORS];       /* without a deadline, at present */
static volatile uint8_t waits_until[FORCE_ACTORS]; /* with one, at present */

static void meet(unsigned actor)
{
    waits[actor] = 1;
    barrier_wait(&both);
    waits[actor] = 0;
    passed[actor]++;
}

static void meet_until(unsigned actor)
{
    waits_until[actor] = 1;
    int error = barrier_wait_until(&both, soon);
    waits_until[actor] = 0;
    force_expect(error == 0 || error == ERR_TIMEOUT);
    passed[actor] = (uint8_t)(passed[actor] + (error == 0));
    over();
}

static void prepare(void)
{
    passed[FORCE_CONDUCTOR] = 0;
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        passed[actor] = 0;
        waits[actor] = 0;
        waits_until[actor] = 0;
        if (force_acts(actor, &operation_meet_until)) {
            soon_prepare();
        }
    }
}

/* The conductor arrives with a deadline that has passed: it passes if it is the second, otherwise
 * it has not arrived. */
static bool settle(void)
{
    if (force_sum(waits_until, FORCE_ACTORS) > 0) {
        over_wait();
        return true;
    }
    if (force_sum(waits, FORCE_ACTORS) == 0) {
        return false;
    }
    int error = barrier_wait_until(&both, 0);
    force_expect(error == 0 || error == ERR_TIMEOUT);
    passed[FORCE_CONDUCTOR] = (uint8_t)(passed[FORCE_CONDUCTOR] + (error == 0));
    return true;
}

static void check(void)
{
    force_expect(force_sum(passed, FORCE_ACTORS + 1) % PARTIES == 0);
    force_expect(both.waiting == 0 && both.parties == PARTIES);
}

static const struct force_object object = {.prepare = prepare, .settle = settle, .check = check};

const struct force_operation operation_meet = {
    .name = "meet", .object = &object, .in_thread = meet};
const struct force_operation operation_meet_until = {
    .name = "meet_until", .object = &object, .in_thread = meet_until};
