/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A condition variable: there are items, which a mutex protects.
 *
 * Laws: an item that was made was taken or is still there; no thread waits while there is one; a
 * wait with a deadline takes or ends by the deadline; a signal without an item takes nothing.
 */
#include <lichen/condition.h>

#include "operations.h"

MUTEX(guard);
CONDITION(changed);

static volatile uint8_t items;                     /* what is there */
static volatile uint8_t made[FORCE_ACTORS + 1];    /* by actor, and the conductor */
static volatile uint8_t taken[FORCE_ACTORS];       /* by actor */
static volatile uint8_t waits[FORCE_ACTORS];       /* without a deadline, at present */
static volatile uint8_t waits_until[FORCE_ACTORS]; /* with one, at present */

static void await(unsigned actor)
{
    force_expect(mutex_lock(&guard) == 0);
    while (items == 0) {
        waits[actor] = 1;
        force_expect(condition_wait(&changed, &guard) == 0);
        waits[actor] = 0;
    }
    items--;
    taken[actor]++;
    mutex_unlock(&guard);
}

static void await_until(unsigned actor)
{
    int error = 0;
    force_expect(mutex_lock(&guard) == 0);
    while (items == 0 && error == 0) {
        waits_until[actor] = 1;
        error = condition_wait_until(&changed, &guard, soon);
        waits_until[actor] = 0;
    }
    force_expect(error == 0 || error == ERR_TIMEOUT);
    if (items > 0) {
        items--;
        taken[actor]++;
    }
    mutex_unlock(&guard);
    over();
}

static void make(unsigned who, unsigned count)
{
    force_expect(mutex_lock(&guard) == 0);
    items = (uint8_t)(items + count);
    made[who] = (uint8_t)(made[who] + count);
    mutex_unlock(&guard);
}

static void signal(unsigned actor)
{
    make(actor, 1);
    condition_signal(&changed);
}

static void broadcast(unsigned actor)
{
    make(actor, FORCE_ACTORS);
    condition_broadcast(&changed);
}

/* A signal without a change. */
static void nudge(unsigned actor __attribute__((unused)))
{
    condition_signal(&changed);
    condition_broadcast(&changed);
}

static void prepare(void)
{
    items = 0;
    made[FORCE_CONDUCTOR] = 0;
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        made[actor] = 0;
        taken[actor] = 0;
        waits[actor] = 0;
        waits_until[actor] = 0;
        if (force_acts(actor, &operation_await_until)) {
            soon_prepare();
        }
    }
}

static bool settle(void)
{
    if (force_sum(waits_until, FORCE_ACTORS) > 0) {
        over_wait();
        return true;
    }
    if (force_sum(waits, FORCE_ACTORS) == 0 || items > 0) {
        return false;
    }
    signal(FORCE_CONDUCTOR);
    return true;
}

static void check(void)
{
    force_expect(force_sum(waits, FORCE_ACTORS) == 0);
    force_expect(force_sum(made, FORCE_ACTORS + 1) == force_sum(taken, FORCE_ACTORS) + items);
    force_expect(changed.waiting == 0);
    force_expect(guard.owner == 0 && guard.waiting == 0);
}

static const struct force_object object = {.prepare = prepare, .settle = settle, .check = check};

const struct force_operation operation_await = {
    .name = "await", .object = &object, .in_thread = await};
const struct force_operation operation_await_until = {
    .name = "await_until", .object = &object, .in_thread = await_until};
const struct force_operation operation_signal = {
    .name = "signal", .object = &object, .in_thread = signal};
const struct force_operation operation_broadcast = {
    .name = "broadcast", .object = &object, .in_thread = broadcast};
const struct force_operation operation_nudge = {
    .name = "nudge", .object = &object, .in_thread = nudge, .in_event = nudge};
