/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Waiting for a condition: there are items, which a mutex protects. Laws: items that were made were
 * taken, or are still there; no thread waits while there are some, unless a thread was destroyed,
 * which takes its signal with it; a broadcast leaves no thread waiting.
 */
#include <lichen/condition.h>

#include "../waits/waits.h"

MUTEX(guard);
CONDITION(changed);

static volatile uint8_t items;
static volatile uint8_t made[FORCE_ACTORS + 1]; /* by actor, and the conductor */
static volatile uint8_t taken[WAITERS];         /* by each */

/* No thread leaves half a change behind: data that a destroyed thread held is consistent. */
static bool is_locked(int error)
{
    return error == 0 || (error == ERR_ABANDONED && (waiter_destroyed(0) || waiter_destroyed(2)));
}

static int wait(unsigned who, uint64_t deadline)
{
    int error = mutex_lock(&guard);
    force_expect(is_locked(error));
    error = 0;
    while (items == 0 && error != ERR_TIMEOUT) {
        if (deadline != TIME_NEVER) {
            error = condition_wait_until(&changed, &guard, deadline);
        } else {
            error = condition_wait(&changed, &guard);
        }
        force_expect(error == ERR_TIMEOUT || is_locked(error));
    }
    bool taking = items > 0;
    if (taking) {
        taken[who]++;
        items--;
    }
    mutex_unlock(&guard);
    return taking ? 0 : ERR_TIMEOUT;
}

static void make(unsigned who, unsigned count)
{
    force_expect(is_locked(mutex_lock(&guard)));
    made[who] = (uint8_t)(made[who] + count);
    items = (uint8_t)(items + count);
    mutex_unlock(&guard);
}

static void signal(unsigned who)
{
    make(who, 1);
    condition_signal(&changed);
}

static void broadcast(unsigned who)
{
    make(who, WAITERS);
    condition_broadcast(&changed);
}

static void prepare(void)
{
    items = 0;
    for (unsigned who = 0; who <= FORCE_CONDUCTOR; who++) {
        made[who] = 0;
    }
    for (unsigned who = 0; who < WAITERS; who++) {
        taken[who] = 0;
    }
}

static void check(void)
{
    unsigned all = force_sum(made, FORCE_ACTORS + 1);
    unsigned have = force_sum(taken, WAITERS) + items;
    force_expect(all == have || (waiters_lost() > 0 && all + waiters_lost() >= have));
    force_expect(changed.waiting == 0);
    int error = mutex_lock(&guard);
    force_expect(is_locked(error));
    mutex_unlock(&guard);
    force_expect(guard.owner == 0 && guard.waiting == 0);
}

const struct wait_kind wait_kind = {
    .prepare = prepare, .wait = wait, .release = signal, .check = check};

static const struct force_operation operation_broadcast = {
    .name = "broadcast", .object = &waits, .in_thread = broadcast};

const struct force_operation *const force_operations[] = {
    &operation_destroy,           &operation_disturb,   &operation_expire,
    &operation_release_in_thread, &operation_broadcast,
};
