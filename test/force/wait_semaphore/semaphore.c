/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Waiting for a semaphore. Law: what was given was taken, or is still there, or was lost with a
 * destroyed thread.
 */
#include <lichen/semaphore.h>

#include "../waits/waits.h"

SEMAPHORE(shared, 0);

static volatile uint8_t gave[FORCE_ACTORS + 1]; /* by actor, and the conductor */

static int wait(unsigned who __attribute__((unused)), uint64_t deadline)
{
    if (deadline != TIME_NEVER) {
        return semaphore_wait_until(&shared, deadline);
    }
    semaphore_wait(&shared);
    return 0;
}

static void give(unsigned who)
{
    gave[who]++;
    force_expect(semaphore_post(&shared) == 0);
}

static void prepare(void)
{
    for (unsigned who = 0; who <= FORCE_CONDUCTOR; who++) {
        gave[who] = 0;
    }
}

static bool there(void)
{
    return shared.count > 0;
}

static void check(void)
{
    unsigned given = force_sum(gave, FORCE_ACTORS + 1);
    unsigned taken = force_sum(came_back, WAITERS);
    for (; semaphore_try(&shared) == 0; taken++) {
    }
    force_expect(given >= taken && given <= taken + waiters_lost());
    force_expect(shared.waiting == 0 && shared.count == 0);
}

const struct wait_kind wait_kind = {.prepare = prepare,
                                    .wait = wait,
                                    .release = give,
                                    .there = there,
                                    .check = check,
                                    .at_a_time = 1};

const struct force_operation *const force_operations[] = {
    &operation_destroy,
    &operation_disturb,
    &operation_expire,
    &operation_release,
};
