/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Waiting for notifications, each thread for its own. Laws: a thread that returns was notified; a
 * notification stays set only if no thread returned for it.
 */
#include <lichen/notify.h>

#include "../waits/waits.h"

NOTIFY(own_0);
NOTIFY(own_1);
NOTIFY(own_2);
static struct notify *const own[WAITERS] = {&own_0, &own_1, &own_2};

static volatile uint8_t told[FORCE_ACTORS + 1]; /* by actor, and the conductor */

/* Two ways without a deadline: the first two have a struct syscall, the third has none. */
static int wait(unsigned who, uint64_t deadline)
{
    int error = 0;
    if (who < 2) {
        error = notify_wait_until(own[who], deadline);
    } else {
        notify_wait(own[who]);
    }
    force_expect(error != 0 || force_sum(told, FORCE_ACTORS + 1) > 0);
    return error;
}

static void tell(unsigned who)
{
    told[who]++;
    for (unsigned one = 0; one < WAITERS; one++) {
        notify_post(own[one]);
    }
}

static void prepare(void)
{
    for (unsigned who = 0; who <= FORCE_CONDUCTOR; who++) {
        told[who] = 0;
    }
}

static void check(void)
{
    unsigned all = force_sum(told, FORCE_ACTORS + 1);
    for (unsigned who = 0; who < WAITERS; who++) {
        bool set = own[who]->waiter == NOTIFY_SET;
        force_expect(set || own[who]->waiter == 0);
        force_expect(!set || all > came_back[who]);
        force_expect(set || all == 0 || came_back[who] == 1 || waiter_destroyed(who));
        force_check_event(&own[who]->event);
        if (set) {
            notify_wait(own[who]); /* for the next run: at once */
        }
    }
}

const struct wait_kind wait_kind = {
    .prepare = prepare, .wait = wait, .release = tell, .check = check};

const struct force_operation *const force_operations[] = {
    &operation_destroy,
    &operation_disturb,
    &operation_expire,
    &operation_release,
};
