/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Notifications. An actor that wakes notifies the first actor that waits or, if none does, a thread
 * that always waits; and then a second thread, for which the direct slot is already taken.
 *
 * Laws: a notified thread runs afterwards; none runs without a notification; a notification stays
 * set only if there were more posts than waits.
 */
#include <lichen/error.h>
#include <lichen/notify.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "operations.h"

NOTIFY(woken);
NOTIFY(woken_too);
#define OWN_NOTIFY(actor, name) NOTIFY(name##_##actor);
FORCE_EACH_ACTOR(OWN_NOTIFY, own)
static struct notify *const own[FORCE_ACTORS] = {FORCE_EACH_ACTOR(FORCE_OBJECT, own)};

static struct notify *target; /* what waking actors notify in this run */
static volatile uint8_t told[FORCE_ACTORS];
static volatile uint8_t wakes_before[FORCE_ACTORS]; /* wakes when the actor notified */
static volatile uint8_t wakes;
static volatile uint8_t wakes_too_before[FORCE_ACTORS]; /* the same of the second thread */
static volatile uint8_t wakes_too;

struct wait {
    volatile uint8_t began;
    volatile uint8_t rescued; /* notified by the conductor */
    volatile uint8_t told;    /* notifications of it when it came back */
    volatile uint8_t ended;
    volatile uint8_t timed;     /* it has a deadline */
    volatile uint8_t timed_out; /* which ended it */
};
static struct wait waits[FORCE_ACTORS];

THREAD(waiter, FORCE_SMALL_STACK, PRIORITY_APP + 2)
{
    for (;;) {
        notify_wait(&woken);
        wakes++;
    }
}

THREAD(waiter_too, FORCE_SMALL_STACK, PRIORITY_APP + 1)
{
    for (;;) {
        notify_wait(&woken_too);
        wakes_too++;
    }
}

/* How often an actor's own notification was posted. */
static unsigned told_to(unsigned actor)
{
    unsigned count = waits[actor].rescued;
    for (unsigned who = 0; who < FORCE_ACTORS && target == own[actor]; who++) {
        count += told[who];
    }
    return count;
}

static inline __attribute__((always_inline)) void note_wake(unsigned actor)
{
    wakes_before[actor] = wakes;
    wakes_too_before[actor] = wakes_too;
    told[actor]++;
}

static void wake(unsigned actor)
{
    note_wake(actor);
    notify_post(target);
    notify_post(&woken_too);
}

static inline __attribute__((always_inline)) void wake_at(unsigned actor, unsigned level)
{
    note_wake(actor);
    notify_post_from(target, level);
    notify_post_from(&woken_too, level);
    force_on_its_way(&target->event, level);
    force_on_its_way(&woken_too.event, level);
}
FORCE_AT_EACH_LEVEL(wake_at)

static void came_back(unsigned actor)
{
    waits[actor].told = (uint8_t)told_to(actor);
    waits[actor].ended = 1;
}

static void wait(unsigned actor)
{
    waits[actor].began = 1;
    notify_wait(own[actor]);
    came_back(actor);
}

static void wait_until(unsigned actor)
{
    waits[actor].began = 1;
    force_expect(notify_wait_until(own[actor], TIME_NEVER) == 0);
    came_back(actor);
}

/* Returns by its deadline unless it is notified before. */
static void wait_timeout(unsigned actor)
{
    waits[actor].timed = 1;
    waits[actor].began = 1;
    int error = notify_wait_until(own[actor], soon);
    force_expect(error == 0 || error == ERR_TIMEOUT);
    came_back(actor);
    waits[actor].timed_out = error == ERR_TIMEOUT;
    over();
}

static void prepare(void)
{
    wakes = 0;
    wakes_too = 0;
    target = &woken;
    for (unsigned actor = FORCE_ACTORS; actor-- > 0;) {
        told[actor] = 0;
        waits[actor] = (struct wait){0};
        if (force_acts(actor, &operation_wait_timeout)) {
            soon_prepare();
            target = own[actor];
        }
        if (force_acts(actor, &operation_wait) || force_acts(actor, &operation_wait_until)) {
            target = own[actor];
        }
    }
}

static bool settle(void)
{
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        const struct wait *this = &waits[actor];
        if (!this->began || this->ended || told_to(actor) > 0) {
            continue;
        }
        if (this->timed) {
            over_wait();
        } else {
            waits[actor].rescued = 1;
            notify_post(own[actor]);
        }
        return true;
    }
    return false;
}

static void check_woken(void)
{
    unsigned all = 0;
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        all += told[actor];
        force_expect(told[actor] == 0 || target != &woken || wakes > wakes_before[actor]);
        force_expect(told[actor] == 0 || wakes_too > wakes_too_before[actor]);
    }
    force_expect(wakes <= (target == &woken ? all : 0));
    force_expect(wakes_too <= all);
    force_expect(woken.waiter == &waiter && woken_too.waiter == &waiter_too);
    force_check_event(&woken.event);
    force_check_event(&woken_too.event);
}

static void check_own(unsigned actor)
{
    const struct wait *this = &waits[actor];
    struct notify *notify = own[actor];
    force_expect(this->ended == this->began);
    unsigned woke = this->ended && !this->timed_out;
    force_expect(this->told >= woke);
    force_expect(notify->waiter == 0 || notify->waiter == NOTIFY_SET);
    force_expect(notify->waiter == 0 || told_to(actor) > woke);
    force_expect(notify->waiter == NOTIFY_SET || told_to(actor) == 0 || woke);
    force_check_event(&notify->event);
    if (notify->waiter == NOTIFY_SET) {
        notify_wait(notify); /* for the next run: at once */
    }
}

static void check(void)
{
    check_woken();
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        check_own(actor);
    }
}

static const struct force_object object = {.prepare = prepare, .settle = settle, .check = check};

const struct force_operation operation_wake = {
    .name = "wake",
    .object = &object,
    .in_thread = wake,
    .in_event = wake,
    .in_interrupt = FORCE_LEVELS_OF(wake_at),
};
const struct force_operation operation_wait = {
    .name = "wait", .object = &object, .in_thread = wait};
const struct force_operation operation_wait_until = {
    .name = "wait_until", .object = &object, .in_thread = wait_until};
const struct force_operation operation_wait_timeout = {
    .name = "wait_timeout", .object = &object, .in_thread = wait_timeout};
