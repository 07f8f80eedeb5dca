/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* One semaphore that interrupts give, too.
 *
 * Laws: what was given was taken or is still there; no thread waits while the count is not 0; a
 * wait with a deadline takes or ends by the deadline; the most urgent waiter is served first.
 */
#include <lichen/semaphore.h>

#include "operations.h"

SEMAPHORE_RT(shared, 0);

static volatile uint8_t gave[FORCE_ACTORS + 1]; /* by actor, and the conductor */
static volatile uint8_t took[FORCE_ACTORS];
static volatile uint8_t waits[FORCE_ACTORS];       /* without a deadline, at present */
static volatile uint8_t waits_until[FORCE_ACTORS]; /* with one, at present */

static unsigned sum(const volatile uint8_t *values, unsigned count)
{
    unsigned all = 0;
    for (unsigned index = 0; index < count; index++) {
        all += values[index];
    }
    return all;
}

static void give(unsigned actor)
{
    gave[actor]++;
    force_expect(semaphore_post(&shared.semaphore) == 0);
}

static inline __attribute__((always_inline)) void give_at(unsigned actor, unsigned level)
{
    gave[actor]++;
    semaphore_post_from(&shared, level);
    force_on_its_way(&shared.event, level);
}
FORCE_AT_EACH_LEVEL(give_at)

static void take(unsigned actor)
{
    waits[actor] = 1;
    semaphore_wait(&shared.semaphore);
    waits[actor] = 0;
    took[actor]++;
}

static void try(unsigned actor)
{
    int error = semaphore_try(&shared.semaphore);
    force_expect(error == 0 || error == ERR_EMPTY);
    took[actor] = (uint8_t)(took[actor] + (error == 0));
}

static void take_until(unsigned actor)
{
    waits_until[actor] = 1;
    int error = semaphore_wait_until(&shared.semaphore, soon);
    force_expect(error == 0 || error == ERR_TIMEOUT);
    took[actor] = (uint8_t)(took[actor] + (error == 0));
    waits_until[actor] = 0;
    over();
}

static void prepare(void)
{
    gave[FORCE_CONDUCTOR] = 0;
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        gave[actor] = 0;
        took[actor] = 0;
        waits[actor] = 0;
        waits_until[actor] = 0;
        if (force_acts(actor, &operation_take_until)) {
            soon_prepare();
        }
    }
}

static bool settle(void)
{
    if (sum(waits_until, FORCE_ACTORS) > 0) {
        over_wait();
        return true;
    }
    if (sum(waits, FORCE_ACTORS) == 0 || sum(gave, FORCE_ACTORS + 1) != sum(took, FORCE_ACTORS)) {
        return false;
    }
    /* Carriers are more urgent than the stretch. */
    bool carrier = sum(&waits[1], FORCE_ACTORS - 1) > 0;
    unsigned before = sum(&took[1], FORCE_ACTORS - 1);
    give(FORCE_CONDUCTOR);
    force_expect(!carrier || sum(&took[1], FORCE_ACTORS - 1) > before);
    return true;
}

static void check(void)
{
    unsigned there = shared.semaphore.count;
    force_expect(sum(gave, FORCE_ACTORS + 1) == sum(took, FORCE_ACTORS) + there);
    force_expect(shared.semaphore.waiting == 0);
    for (unsigned level = 0; level < ARCH_LEVELS; level++) {
        force_expect(shared.posted[level] == shared.taken[level]);
    }
    force_check_event(&shared.event);
    for (; there > 0; there--) {
        force_expect(semaphore_try(&shared.semaphore) == 0);
    }
    force_expect(semaphore_try(&shared.semaphore) == ERR_EMPTY);
}

static const struct force_object object = {.prepare = prepare, .settle = settle, .check = check};

const struct force_operation operation_give = {
    .name = "give",
    .object = &object,
    .in_thread = give,
    .in_event = give,
    .in_interrupt = FORCE_LEVELS_OF(give_at),
};
const struct force_operation operation_take = {
    .name = "take", .object = &object, .in_thread = take};
const struct force_operation operation_try = {
    .name = "try", .object = &object, .in_thread = try, .in_event = try};
const struct force_operation operation_take_until = {
    .name = "take_until", .object = &object, .in_thread = take_until};
