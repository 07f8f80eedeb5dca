/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Two mutexes from each of their states: held, waited for, both held by one thread and waited for
 * by a more and a less urgent one, at the end of a chain, and abandoned. The holder is less urgent
 * than the stretch, the waiters are more urgent.
 *
 * Laws: a mutex never has two owners; an owner is as urgent as its waiters, and no more; a wait
 * with a deadline gets the mutex or ends by the deadline; the next thread to lock is told, once,
 * that the last owner was destroyed; in the end no mutex is owned.
 */
#include <lichen/init.h>
#include <lichen/mutex.h>
#include <lichen/notify.h>
#include <lichen/thread.h>

#include "../kernel/operations.h"
#include "chip/chip.h"

#define MUTEXES 2u

#define RAISED  (PRIORITY_HIGH + 1)
#define LOWERED (PRIORITY_APP - 1)

MUTEX(lock_0);
MUTEX(lock_1);
static struct mutex *const locks[MUTEXES] = {&lock_0, &lock_1};

NOTIFY(let_go);

static const struct force_operation operation_lock_until;

static volatile unsigned inside[MUTEXES];          /* who has it, its address; stored at once */
static volatile uint8_t abandonments[MUTEXES];     /* told to the thread that locked each */
static volatile uint8_t left_by[FORCE_ACTORS + 1]; /* most that a holder owned when destroyed */
static volatile uint8_t waits_until[FORCE_ACTORS]; /* with a deadline, at present */

extern struct thread holder, link;

/* ---------------------------------------------------------------- the owners */
static void enter(unsigned which, int error)
{
    force_expect(error == 0 || error == ERR_ABANDONED);
    abandonments[which] = (uint8_t)(abandonments[which] + (error != 0));
    force_expect(inside[which] == 0 || (inside[which] == (uintptr_t)&holder && error != 0));
    store_whole(&inside[which], (unsigned)(uintptr_t)thread_self());
    force_check_now();
}

static void leave(unsigned which)
{
    force_expect(inside[which] == (uintptr_t)thread_self());
    store_whole(&inside[which], 0);
    mutex_unlock(locks[which]);
}

static const struct thread *mutex_holder(unsigned which)
{
    return (const struct thread *)(locks[which]->owner & ~(uintptr_t)MUTEX_CONTENDED);
}

static void lock_one(unsigned which)
{
    enter(which, mutex_lock(locks[which]));
    leave(which);
}

/* ---------------------------------------------------------------- threads of the initial state */
/* Holds the first mutex, or as many as its argument says, until it is told to unlock. */
THREAD_STOPPED(holder, FORCE_STACK, PRIORITY_APP - 1)
{
    unsigned count = (unsigned)(uintptr_t)argument;
    for (unsigned which = 0; which < count; which++) {
        force_expect(mutex_lock(locks[which]) == 0);
    }
    notify_wait(&let_go);
    for (unsigned which = 0; which < count; which++) {
        enter(which, 0);
        leave(which);
    }
    force_expect(holder.priority == holder.base);
}

/* Owns the second mutex and waits for the first. */
THREAD_STOPPED(link, FORCE_STACK, PRIORITY_APP - 1)
{
    enter(1, mutex_lock(&lock_1));
    enter(0, mutex_lock(&lock_0));
    leave(0);
    leave(1);
    force_expect(link.priority == link.base);
}
THREAD_STOPPED(calm, FORCE_STACK, PRIORITY_APP + 1)
{
    lock_one((unsigned)(uintptr_t)argument);
}
THREAD_STOPPED(eager, FORCE_STACK, PRIORITY_APP + 2)
{
    lock_one((unsigned)(uintptr_t)argument);
}

static void begin(struct thread *thread, unsigned argument)
{
    force_expect(thread_start(thread, (void *)(uintptr_t)argument) == 0);
    force_expect(thread->state == THREAD_WAITING);
}

/* The waiters get its mutexes, before this returns if they are more urgent. */
static void destroy_holder(unsigned who)
{
    for (unsigned which = 0; which < MUTEXES; which++) {
        left_by[who] = (uint8_t)(left_by[who] + (mutex_holder(which) == &holder));
    }
    thread_destroy(&holder);
    force_expect(holder.state == THREAD_STOPPED);
}

/* ---------------------------------------------------------------- states */
static void enter_held(void)
{
    begin(&holder, 1);
}
static void enter_waited_for(void)
{
    begin(&holder, 1);
    begin(&calm, 0);
}
static void enter_urgent_behind(void)
{
    begin(&holder, 2);
    begin(&calm, 0);
    begin(&eager, 1);
}
static void enter_urgent_before(void)
{
    begin(&holder, 2);
    begin(&calm, 1);
    begin(&eager, 0);
}
static void enter_chain(void)
{
    begin(&holder, 1);
    begin(&link, 0);
    begin(&calm, 1);
}
static void enter_abandoned(void)
{
    begin(&holder, 1);
    destroy_holder(FORCE_CONDUCTOR);
}

static const struct force_state held = {.name = "held", .enter = enter_held};
static const struct force_state waited_for = {.name = "waited_for", .enter = enter_waited_for};
static const struct force_state urgent_behind = {.name = "urgent_behind",
                                                 .enter = enter_urgent_behind};
static const struct force_state urgent_before = {.name = "urgent_before",
                                                 .enter = enter_urgent_before};
static const struct force_state chain = {.name = "chain", .enter = enter_chain};
static const struct force_state abandoned = {.name = "abandoned", .enter = enter_abandoned};

const struct force_state *const force_states[] = {
    &held, &waited_for, &urgent_behind, &urgent_before, &chain, &abandoned,
};

/* ---------------------------------------------------------------- operations */
static void lock(unsigned actor __attribute__((unused)))
{
    lock_one(0);
}

static void lock_until(unsigned actor)
{
    waits_until[actor] = 1;
    int error = mutex_lock_until(&lock_0, soon);
    waits_until[actor] = 0;
    if (error != ERR_TIMEOUT) {
        enter(0, error);
        leave(0);
    }
    over();
}

static void release(unsigned actor __attribute__((unused)))
{
    notify_post(&let_go);
    force_check_now();
}

/* The waiters change places. */
static void prefer(unsigned actor __attribute__((unused)))
{
    thread_set_priority(&calm, RAISED);
    thread_set_priority(&eager, LOWERED);
    force_check_now();
}

static void destroy(unsigned actor)
{
    destroy_holder(actor);
    force_check_now();
}

static const struct force_operation operation_release;

/* ---------------------------------------------------------------- the object */
static void prepare(void)
{
    left_by[FORCE_CONDUCTOR] = 0;
    for (unsigned which = 0; which < MUTEXES; which++) {
        inside[which] = 0;
        abandonments[which] = 0;
    }
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        left_by[actor] = 0;
        waits_until[actor] = 0;
        if (force_acts(actor, &operation_lock_until)) {
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
    if (holder.state != THREAD_STOPPED) {
        notify_post(&let_go);
        return true;
    }
    return false;
}

/* Two actors that destroyed it at the same time found the same. */
static unsigned left(void)
{
    unsigned most = 0;
    for (unsigned who = 0; who <= FORCE_CONDUCTOR; who++) {
        most = left_by[who] > most ? left_by[who] : most;
    }
    return most;
}

static void check(void)
{
    bool released = false;
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        released |= force_acts(actor, &operation_release);
    }
    for (unsigned which = 0; which < MUTEXES; which++) {
        lock_one(which);
        force_expect(locks[which]->owner == 0 && locks[which]->waiting == 0);
    }
    unsigned told = force_sum(abandonments, MUTEXES);
    force_expect(told == left() || (released && told < left()));
    if (let_go.waiter == NOTIFY_SET) {
        notify_wait(&let_go); /* for the next run: at once */
    }
    force_expect(let_go.waiter == 0);
    force_check_event(&let_go.event);
}

static const struct force_object object = {.prepare = prepare, .settle = settle, .check = check};

static const struct force_operation operation_lock = {
    .name = "lock", .object = &object, .in_thread = lock};
static const struct force_operation operation_lock_until = {
    .name = "lock_until", .object = &object, .in_thread = lock_until};
static const struct force_operation operation_release = {
    .name = "release", .object = &object, .in_thread = release, .in_event = release};
static const struct force_operation operation_prefer = {
    .name = "prefer", .object = &object, .in_thread = prefer, .in_event = prefer};
static const struct force_operation operation_destroy = {
    .name = "destroy", .object = &object, .in_thread = destroy};

const struct force_operation *const force_operations[] = {
    &operation_lock,   &operation_lock_until, &operation_release,
    &operation_prefer, &operation_destroy,
};

/* At a slower clock, fewer instructions are spent on polling. */
static void slow_down(void)
{
    chip_clock_set(SLOW_CLOCK);
}
INIT(slow_down);
