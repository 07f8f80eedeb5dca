/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Waiting for the end of a thread; one of the three waits for that of another one. Laws: a wait
 * returns when its thread has ended; the end of one thread releases none that waits for the other.
 */
#include <lichen/notify.h>

#include "../waits/waits.h"

NOTIFY(finish);
NOTIFY(finish_too);

THREAD_STOPPED(target, FORCE_SMALL_STACK, PRIORITY_APP)
{
    notify_wait(&finish);
}
THREAD_STOPPED(target_too, FORCE_SMALL_STACK, PRIORITY_APP)
{
    notify_wait(&finish_too);
}

static struct thread *target_of(unsigned who)
{
    return who == 1 ? &target_too : &target;
}

static int wait(unsigned who, uint64_t deadline)
{
    int error = 0;
    if (deadline != TIME_NEVER) {
        error = thread_join_until(target_of(who), deadline);
    } else {
        thread_join(target_of(who));
    }
    force_expect(error != 0 || target_of(who)->state == THREAD_STOPPED);
    return error;
}

/* One ends when told to, the other is destroyed. */
static void end_both(unsigned who __attribute__((unused)))
{
    notify_post(&finish_too);
    thread_destroy(&target);
}

static void prepare(void)
{
    force_expect(thread_start(&target, 0) == 0 && thread_start(&target_too, 0) == 0);
    force_expect(target.state == THREAD_WAITING && target_too.state == THREAD_WAITING);
}

static void check(void)
{
    if (target.state != THREAD_STOPPED || target_too.state != THREAD_STOPPED) {
        end_both(FORCE_CONDUCTOR);
    }
    force_expect(target.state == THREAD_STOPPED && target_too.state == THREAD_STOPPED);
    if (finish_too.waiter == NOTIFY_SET) {
        notify_wait(&finish_too); /* for the next run: at once */
    }
    force_expect(finish.waiter == 0 && finish_too.waiter == 0);
    force_check_event(&finish_too.event);
}

const struct wait_kind wait_kind = {
    .prepare = prepare, .wait = wait, .release = end_both, .check = check};

const struct force_operation *const force_operations[] = {
    &operation_destroy,
    &operation_disturb,
    &operation_expire,
    &operation_release_in_thread,
};
