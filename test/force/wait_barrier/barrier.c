/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Waiting at a barrier for four, at which actors arrive that do not wait: they pass, or count as
 * not arrived. Law: four pass together, or none does.
 */
#include <lichen/barrier.h>

#include "../waits/waits.h"

#define PARTIES (WAITERS + 1u)

BARRIER(all, PARTIES);

static volatile uint8_t passed[FORCE_ACTORS]; /* by actor */

static int wait(unsigned who __attribute__((unused)), uint64_t deadline)
{
    if (deadline != TIME_NEVER) {
        return barrier_wait_until(&all, deadline);
    }
    barrier_wait(&all);
    return 0;
}

static void come_last(unsigned actor)
{
    int error = barrier_wait_until(&all, 0);
    force_expect(error == 0 || error == ERR_TIMEOUT);
    passed[actor] = (uint8_t)(passed[actor] + (error == 0));
}

static void prepare(void)
{
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        passed[actor] = 0;
    }
}

/* A thread may have passed before it was destroyed. At most four of all that ever arrive can pass.
 */
static void check(void)
{
    unsigned others = force_sum(passed, FORCE_ACTORS);
    unsigned together = others + force_sum(came_back, WAITERS);
    force_expect(others > 0 || together == 0);
    force_expect(together == 0 || (together <= PARTIES && together + waiters_lost() >= PARTIES));
    force_expect(all.waiting == 0 && all.parties == PARTIES);
}

const struct wait_kind wait_kind = {
    .prepare = prepare, .wait = wait, .release = come_last, .check = check, .only_destroyed = true};

const struct force_operation *const force_operations[] = {
    &operation_destroy,
    &operation_disturb,
    &operation_expire,
    &operation_release_in_thread,
};
