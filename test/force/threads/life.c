/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The life of one thread, which locks a mutex, waits for a notification, and ends: by returning if
 * the actor that started it has an even number, otherwise by thread_exit.
 *
 * Laws: it runs once for each start that succeeds, with that start's argument, and ends unless it
 * is destroyed; a join returns when it has ended; the actor that pauses it sees it paused; a
 * priority that is set is its base and actual priority until it is started again; a mutex that it
 * holds when it is destroyed is reported as abandoned.
 */
#include <lichen/mutex.h>
#include <lichen/notify.h>
#include <lichen/thread.h>

#include "operations.h"

#define ARGUMENT 0x5a00u /* of the first actor's start; a value unlikely in memory */

MUTEX(tool);
NOTIFY(work);

static volatile uint8_t begun;                       /* these are written by the worker */
static volatile uint8_t begun_for[FORCE_ACTORS + 1]; /* by actor that started it, and conductor */
static volatile uint8_t ended;
static volatile uint8_t touched[FORCE_ACTORS + 1];   /* in whatever way, by actor or in advance */
static volatile uint8_t asked[FORCE_ACTORS + 1];     /* to start: by actor, and the conductor */
static volatile uint8_t started[FORCE_ACTORS + 1];   /* successfully */
static volatile uint8_t destroyed[FORCE_ACTORS + 1]; /* by actor; the conductor never does */
static volatile uint8_t waits_until[FORCE_ACTORS];   /* for its end, with a deadline, at present */

THREAD_STOPPED(worker, FORCE_STACK, PRIORITY_APP)
{
    unsigned who = (unsigned)(uintptr_t)argument - ARGUMENT;
    force_expect(who <= FORCE_CONDUCTOR);
    begun++;
    begun_for[who]++;
    force_expect(thread_self() == &worker && worker.state == THREAD_READY);
    int error = mutex_lock(&tool);
    force_expect(error == 0 ||
                 (error == ERR_ABANDONED && force_sum(destroyed, FORCE_ACTORS + 1) > 0));
    notify_wait(&work);
    mutex_unlock(&tool);
    ended++;
    if (who % 2 != 0) {
        thread_exit();
    }
}

/* Whether no other actor has acted on it in this run, so that it is as its only actor left it, or
 * has continued by itself. */
static bool alone(void)
{
    return force_sum(touched, FORCE_ACTORS + 1) == 1;
}

/* Returns whether it started. */
static bool started_by(unsigned who)
{
    asked[who]++;
    int error = thread_start(&worker, (void *)(uintptr_t)(ARGUMENT + who));
    force_expect(error == 0 || (error == ERR_BUSY && force_sum(asked, FORCE_ACTORS + 1) > 1));
    started[who] = (uint8_t)(started[who] + (error == 0));
    return error == 0;
}

static bool touch(unsigned actor)
{
    touched[actor] = 1;
    return started_by(actor);
}

static void start(unsigned actor)
{
    (void)touch(actor);
    notify_post(&work);
}

static void join(unsigned actor)
{
    uint8_t before = ended;
    bool mine = touch(actor);
    notify_post(&work);
    thread_join(&worker);
    force_expect(worker.state == THREAD_STOPPED || !alone());
    force_expect(!mine || ended != before || force_sum(destroyed, FORCE_ACTORS + 1) > 0);
}

/* Meanwhile it waits for work. */
static void join_until(unsigned actor)
{
    uint8_t before = ended;
    bool mine = touch(actor);
    waits_until[actor] = 1;
    int error = thread_join_until(&worker, soon);
    waits_until[actor] = 0;
    force_expect(error == 0 || error == ERR_TIMEOUT);
    force_expect(error != 0 || !mine || ended != before ||
                 force_sum(destroyed, FORCE_ACTORS + 1) > 0);
    over();
}

static void pause(unsigned actor)
{
    (void)touch(actor);
    thread_pause(&worker);
    force_expect((worker.state & THREAD_PAUSED) || !alone());
    notify_post(&work);
    force_expect((worker.state & THREAD_PAUSED) || !alone());
}

/* It continues to wait, and its notification takes the path for paused threads. */
static void resume(unsigned actor)
{
    touched[actor] = 1;
    thread_resume(&worker);
    force_expect(!(worker.state & THREAD_PAUSED) || force_sum(touched, FORCE_ACTORS) > 1);
    notify_post(&work);
}

static void destroy(unsigned actor)
{
    (void)touch(actor);
    destroyed[actor] = 1;
    thread_destroy(&worker);
    force_expect(worker.state == THREAD_STOPPED || !alone());
}

/* Called at the kernel level. */
static int has_priority(void *wanted)
{
    uint8_t priority = (uint8_t)(uintptr_t)wanted;
    return worker.state == THREAD_STOPPED ||
           (worker.base == priority && worker.priority == priority);
}

static void set(uint8_t priority)
{
    thread_set_priority(&worker, priority);
    force_expect(arch_kernel_call(has_priority, (void *)(uintptr_t)priority) == 1 || !alone());
    force_check_now();
}

/* More urgent than any actor, and less; while it is ready and while it waits. */
static void set_priority(unsigned actor)
{
    (void)touch(actor);
    set(PRIORITY_HIGH + 1);
    force_expect(worker.state == THREAD_WAITING || !alone());
    set(PRIORITY_APP - 1);
    set(PRIORITY_HIGH + 1);
    notify_post(&work);
    force_expect(worker.state == THREAD_STOPPED || !alone());
}

static void prepare(void)
{
    begun = 0;
    ended = 0;
    for (unsigned who = 0; who <= FORCE_CONDUCTOR; who++) {
        asked[who] = 0;
        started[who] = 0;
        destroyed[who] = 0;
        begun_for[who] = 0;
        touched[who] = 0;
    }
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        waits_until[actor] = 0;
        if (force_acts(actor, &operation_join_until)) {
            soon_prepare();
        }
    }
    if (force_acts(FORCE_STRETCH, &operation_resume)) {
        touched[FORCE_CONDUCTOR] = 1;
        force_expect(started_by(FORCE_CONDUCTOR));
        thread_pause(&worker);
        thread_set_priority(&worker, PRIORITY_APP + 1); /* to run before the stretch continues */
    }
}

/* The conductor lets it work. */
static bool settle(void)
{
    if (force_sum(waits_until, FORCE_ACTORS) > 0) {
        over_wait();
        return true;
    }
    if (worker.state & THREAD_PAUSED) {
        thread_resume(&worker);
        return true;
    }
    if (worker.state != THREAD_STOPPED) {
        force_expect(worker.state == THREAD_WAITING && work.waiter != NOTIFY_SET);
        notify_post(&work);
        return true;
    }
    return false;
}

static void check(void)
{
    for (unsigned who = 0; who <= FORCE_CONDUCTOR; who++) {
        force_expect(begun_for[who] <= started[who]);
    }
    unsigned starts = force_sum(started, FORCE_ACTORS + 1);
    unsigned ends = force_sum(destroyed, FORCE_ACTORS + 1);
    force_expect(ended <= begun && begun <= starts);
    force_expect(starts <= ended + ends);
    force_expect(force_sum(asked, FORCE_ACTORS + 1) == 0 || starts > 0);
    force_expect(worker.state == THREAD_STOPPED);
    int error = mutex_lock(&tool);
    force_expect(error == 0 || (error == ERR_ABANDONED && ends > 0));
    mutex_unlock(&tool);
    if (work.waiter == NOTIFY_SET) {
        notify_wait(&work); /* for the next run: at once */
    }
    force_expect(work.waiter == 0);
    force_check_event(&work.event);
}

static const struct force_object object = {.prepare = prepare, .settle = settle, .check = check};

const struct force_operation operation_start = {
    .name = "start", .object = &object, .in_thread = start, .in_event = start};
const struct force_operation operation_join = {
    .name = "join", .object = &object, .in_thread = join};
const struct force_operation operation_join_until = {
    .name = "join_until", .object = &object, .in_thread = join_until};
const struct force_operation operation_pause = {
    .name = "pause", .object = &object, .in_thread = pause, .in_event = pause};
const struct force_operation operation_resume = {
    .name = "resume", .object = &object, .in_thread = resume, .in_event = resume};
const struct force_operation operation_destroy = {
    .name = "destroy", .object = &object, .in_thread = destroy};
const struct force_operation operation_set_priority = {
    .name = "set_priority", .object = &object, .in_thread = set_priority};
