/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* One mutex, which a thread less urgent than all actors may hold until it is told to unlock.
 *
 * Laws: the mutex never has two owners; the owner is at least as urgent as the waiters, and no more
 * urgent than that afterwards; the mutex is passed to a waiter; a wait with a deadline gets it or
 * ends by the deadline; in the end it has no owner.
 */
#include <lichen/mutex.h>
#include <lichen/notify.h>
#include <lichen/thread.h>

#include "operations.h"

#define HOLDER FORCE_CONDUCTOR /* its index where actors count */

MUTEX(lock);
NOTIFY(grab);
NOTIFY(release);

static volatile uint8_t inside;                    /* it has an owner */
static volatile uint8_t entries;                   /* counted by the owner */
static volatile uint8_t locked[FORCE_ACTORS + 1];  /* by actor, and the holder */
static volatile uint8_t waits_until[FORCE_ACTORS]; /* with a deadline, at present */
static volatile uint8_t holding;                   /* the holder waits for `release` */

/* What is done with the mutex locked; long enough to be interrupted. */
static void critical(unsigned who)
{
    force_expect(inside == 0);
    inside = 1;
    uint8_t before = entries;
    force_check_now();
    entries = (uint8_t)(before + 1);
    force_expect((lock.owner & ~(uintptr_t)MUTEX_CONTENDED) == (uintptr_t)thread_self());
    inside = 0;
    locked[who]++;
}

THREAD(holder, FORCE_STACK, PRIORITY_APP - 1)
{
    for (;;) {
        notify_wait(&grab);
        force_expect(mutex_lock(&lock) == 0);
        holding = 1;
        notify_wait(&release);
        holding = 0;
        critical(HOLDER);
        mutex_unlock(&lock);
    }
}

static void take_turn(unsigned actor)
{
    force_expect(mutex_lock(&lock) == 0);
    critical(actor);
    mutex_unlock(&lock);
}

static void lock_held(unsigned actor)
{
    notify_post(&release);
    take_turn(actor);
}

static void lock_until(unsigned actor)
{
    waits_until[actor] = 1;
    int error = mutex_lock_until(&lock, soon);
    waits_until[actor] = 0;
    force_expect(error == 0 || error == ERR_TIMEOUT);
    if (error == 0) {
        critical(actor);
        mutex_unlock(&lock);
    }
    over();
}

static void try_lock(unsigned actor)
{
    int error = mutex_try(&lock);
    force_expect(error == 0 || error == ERR_BUSY);
    if (error == 0) {
        critical(actor);
        mutex_unlock(&lock);
    }
}

static void prepare(void)
{
    entries = 0;
    locked[HOLDER] = 0;
    bool held = false;
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        locked[actor] = 0;
        waits_until[actor] = 0;
        bool until = force_acts(actor, &operation_lock_until);
        if (until) {
            soon_prepare();
        }
        held |= until || force_acts(actor, &operation_lock_held);
    }
    if (held) {
        notify_post(&grab);
        force_expect(holding);
    }
}

static bool settle(void)
{
    if (force_sum(waits_until, FORCE_ACTORS) > 0) {
        over_wait();
        return true;
    }
    if (holding) {
        notify_post(&release);
        return true;
    }
    return false;
}

static void check(void)
{
    force_expect(inside == 0 && !holding);
    force_expect(entries == force_sum(locked, FORCE_ACTORS + 1));
    force_expect(lock.owner == 0 && lock.waiting == 0);
    if (release.waiter == NOTIFY_SET) {
        notify_wait(&release); /* for the next run: at once */
    }
    force_expect(grab.waiter == &holder && release.waiter == 0);
    force_check_event(&grab.event);
    force_check_event(&release.event);
}

static const struct force_object object = {.prepare = prepare, .settle = settle, .check = check};

const struct force_operation operation_lock = {
    .name = "lock", .object = &object, .in_thread = take_turn};
const struct force_operation operation_lock_held = {
    .name = "lock_held", .object = &object, .in_thread = lock_held};
const struct force_operation operation_lock_until = {
    .name = "lock_until", .object = &object, .in_thread = lock_until};
const struct force_operation operation_try_lock = {
    .name = "try_lock", .object = &object, .in_thread = try_lock};
