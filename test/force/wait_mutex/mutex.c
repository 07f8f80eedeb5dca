/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Waiting for a mutex held by a thread that is less urgent than the stretch. Laws: the mutex never
 * has two owners; the owner is as urgent as the waiters, and no more; only a thread that was
 * destroyed abandons it.
 */
#include <lichen/mutex.h>
#include <lichen/notify.h>

#include "../waits/waits.h"

MUTEX(lock);
NOTIFY(grab);
NOTIFY(let_go);

static const struct thread *volatile inside; /* who has it */
static volatile uint8_t holding;             /* the holder owns it */

static bool is_locked(int error)
{
    return error == 0 || (error == ERR_ABANDONED && (waiter_destroyed(0) || waiter_destroyed(2)));
}

static void critical(void)
{
    const struct thread *self = thread_self();
    inside = self;
    force_check_now();
    force_expect(inside == self);
    inside = 0;
}

THREAD(holder, FORCE_STACK, PRIORITY_APP - 1)
{
    for (;;) {
        notify_wait(&grab);
        force_expect(mutex_lock(&lock) == 0);
        holding = 1;
        notify_wait(&let_go);
        critical();
        holding = 0;
        mutex_unlock(&lock);
    }
}

static int wait(unsigned who __attribute__((unused)), uint64_t deadline)
{
    int error;
    if (deadline != TIME_NEVER) {
        error = mutex_lock_until(&lock, deadline);
        if (error == ERR_TIMEOUT) {
            return error;
        }
    } else {
        error = mutex_lock(&lock);
    }
    force_expect(is_locked(error) && !holding);
    critical();
    mutex_unlock(&lock);
    return 0;
}

static void release(unsigned who __attribute__((unused)))
{
    notify_post(&let_go);
}

static void prepare(void)
{
    inside = 0;
    notify_post(&grab);
    force_expect(holding);
}

/* As seen by a thread other than these two. */
static bool there(void)
{
    return (lock.owner & ~(uintptr_t)MUTEX_CONTENDED) == 0;
}

static void check(void)
{
    if (holding) {
        notify_post(&let_go);
    }
    force_expect(!holding);
    force_expect(is_locked(mutex_lock(&lock)));
    mutex_unlock(&lock);
    force_expect(lock.owner == 0 && lock.waiting == 0);
    if (let_go.waiter == NOTIFY_SET) {
        notify_wait(&let_go); /* for the next run: at once */
    }
    force_expect(grab.waiter == &holder && let_go.waiter == 0);
    force_check_event(&grab.event);
    force_check_event(&let_go.event);
}

const struct wait_kind wait_kind = {
    .prepare = prepare, .wait = wait, .release = release, .there = there, .check = check};

const struct force_operation *const force_operations[] = {
    &operation_destroy,
    &operation_disturb,
    &operation_expire,
    &operation_release,
};
