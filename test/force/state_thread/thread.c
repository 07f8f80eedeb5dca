/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A thread from each of its states: stopped, ready, waiting for a notification without and with a
 * deadline, waiting in a list, and paused. While it is ready it is less urgent than all others,
 * otherwise more urgent than the stretch.
 *
 * Laws: it ends unless it is destroyed; while it is paused it does not continue; a stopped thread
 * stays stopped; it has the priority that was set; a notified thread continues, and no thread waits
 * for what is there.
 */
#include <lichen/init.h>
#include <lichen/notify.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "chip/chip.h"
#include "force.h"

#define LEAST 1u /* below the conductor's */
#define WORKS (PRIORITY_APP + 1)

enum kind { WAITS = 1, WAITS_UNTIL, WAITS_IN };

NOTIFY(go);
SEMAPHORE(gate, 0);

static volatile uint8_t destroyed[FORCE_ACTORS]; /* by actor */
static volatile uint8_t told[FORCE_ACTORS + 1];  /* notified, by actor, and the conductor */
static volatile uint8_t let_in;                  /* through the gate, by the conductor */
static volatile uint8_t begun;                   /* these are the worker's */
static volatile uint8_t woke;
static volatile uint8_t entered;
static volatile uint8_t ended;
static volatile uint8_t ended_when_paused;
static volatile uint8_t stays_paused; /* an actor has paused it, and none resumes or destroys it */

THREAD_STOPPED(worker, FORCE_STACK, LEAST)
{
    enum kind kind = (enum kind)(uintptr_t)argument;
    begun++;
    if (kind == WAITS_IN) {
        semaphore_wait(&gate);
        entered++;
    } else if (kind == WAITS) {
        notify_wait(&go);
        woke++;
    } else {
        force_expect(notify_wait_until(&go, TIME_NEVER) == 0);
        woke++;
    }
    force_expect(worker.state == THREAD_READY);
    ended++;
}

/* ---------------------------------------------------------------- states */
static void begin(enum kind kind)
{
    force_expect(thread_start(&worker, (void *)(uintptr_t)kind) == 0);
    force_expect(worker.state == THREAD_READY);
}

static void begin_to_wait(enum kind kind)
{
    begin(kind);
    thread_set_priority(&worker, WORKS);
    force_expect(worker.state == THREAD_WAITING);
}

/* Its frame is the initial one, so that a start after the run finds it intact. */
static void enter_stopped(void)
{
    force_expect(worker.state == THREAD_STOPPED);
}
static void enter_ready(void)
{
    begin(WAITS);
}
static void enter_waiting(void)
{
    begin_to_wait(WAITS);
}
static void enter_waiting_until(void)
{
    begin_to_wait(WAITS_UNTIL);
}
static void enter_waiting_in(void)
{
    begin_to_wait(WAITS_IN);
}
static void enter_paused(void)
{
    begin(WAITS);
    thread_pause(&worker);
}
static void enter_paused_waiting(void)
{
    begin_to_wait(WAITS);
    thread_pause(&worker);
}
static void enter_paused_in(void)
{
    begin_to_wait(WAITS_IN);
    thread_pause(&worker);
}

static const struct force_state stopped = {.name = "stopped", .enter = enter_stopped};
static const struct force_state ready = {.name = "ready", .enter = enter_ready};
static const struct force_state waiting = {.name = "waiting", .enter = enter_waiting};
static const struct force_state waiting_until = {.name = "waiting_until",
                                                 .enter = enter_waiting_until};
static const struct force_state waiting_in = {.name = "waiting_in", .enter = enter_waiting_in};
static const struct force_state paused = {.name = "paused", .enter = enter_paused};
static const struct force_state paused_waiting = {.name = "paused_waiting",
                                                  .enter = enter_paused_waiting};
static const struct force_state paused_in = {.name = "paused_in", .enter = enter_paused_in};

const struct force_state *const force_states[] = {
    &stopped, &ready, &waiting, &waiting_until, &waiting_in, &paused, &paused_waiting, &paused_in,
};

/* ---------------------------------------------------------------- operations */
/* An interrupt may come after each check. */
static uint8_t state_now(void)
{
    return *(volatile uint8_t *)&worker.state;
}

static const struct force_operation operation_resume, operation_destroy;

static bool is_left_alone(void)
{
    bool alone = true;
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        alone &= !force_acts(actor, &operation_resume) && !force_acts(actor, &operation_destroy);
    }
    return alone;
}

static void pause(unsigned actor __attribute__((unused)))
{
    thread_pause(&worker);
    ended_when_paused = ended;
    stays_paused = (state_now() & THREAD_PAUSED) != 0 && is_left_alone();
}

static void resume(unsigned actor __attribute__((unused)))
{
    thread_resume(&worker);
}

static void destroy(unsigned actor)
{
    destroyed[actor] = 1;
    thread_destroy(&worker);
}

/* Called at the kernel level. */
static int set(void *unused __attribute__((unused)))
{
    thread_set_priority(&worker, WORKS + 1);
    return worker.state == THREAD_STOPPED ||
           (worker.base == WORKS + 1 && worker.priority == WORKS + 1);
}

static void prefer(unsigned actor __attribute__((unused)))
{
    force_expect(kernel_run(set, 0));
    force_check_now();
}

static void wake(unsigned actor)
{
    told[actor]++;
    notify_post(&go);
}

static inline __attribute__((always_inline)) void wake_at(unsigned actor, unsigned level)
{
    told[actor]++;
    notify_post_from(&go, level);
    force_on_its_way(&go.event, level);
}
FORCE_AT_EACH_LEVEL(wake_at)

/* ---------------------------------------------------------------- the object */
static void prepare(void)
{
    for (unsigned who = 0; who <= FORCE_CONDUCTOR; who++) {
        told[who] = 0;
    }
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        destroyed[actor] = 0;
    }
    let_in = 0;
    begun = 0;
    woke = 0;
    entered = 0;
    ended = 0;
    ended_when_paused = 0;
    stays_paused = 0;
}

static unsigned times(const volatile uint8_t *values)
{
    return force_sum(values, FORCE_CONDUCTOR + 1);
}

static bool settle(void)
{
    uint8_t state = state_now();
    force_expect(!stays_paused || (state_now() & THREAD_PAUSED));
    if (state & THREAD_PAUSED) {
        force_expect(ended == ended_when_paused || !(state_now() & THREAD_PAUSED));
        thread_resume(&worker);
        stays_paused = 0;
    } else if (state == THREAD_READY) {
        thread_set_priority(&worker, WORKS);
    } else if (state == THREAD_WAITING) {
        bool waits_in = gate.waiting != 0;
        force_expect(waits_in || times(told) == 0 || state_now() == THREAD_STOPPED);
        if (waits_in) {
            let_in = 1;
            force_expect(semaphore_post(&gate) == 0);
        } else {
            wake(FORCE_CONDUCTOR);
        }
    }
    return state != THREAD_STOPPED;
}

static void check(void)
{
    unsigned ends = force_sum(destroyed, FORCE_ACTORS);
    force_expect(worker.state == THREAD_STOPPED);
    bool starts = !force_begins(&stopped);
    force_expect(ended <= begun && begun <= starts && (ended == starts || ends > 0));
    force_expect(woke <= times(told) && entered <= let_in);
    force_expect(go.waiter == 0 || (go.waiter == NOTIFY_SET && times(told) > woke));
    if (go.waiter == NOTIFY_SET) {
        notify_wait(&go); /* for the next run: at once */
    }
    force_expect(gate.waiting == 0);
    force_expect(ends > 0 || entered == let_in);
    gate.count = 0; /* it may have been destroyed just before */
    force_check_event(&go.event);
}

static const struct force_object object = {.prepare = prepare, .settle = settle, .check = check};

static const struct force_operation operation_pause = {
    .name = "pause", .object = &object, .in_event = pause};
static const struct force_operation operation_resume = {
    .name = "resume", .object = &object, .in_event = resume};
static const struct force_operation operation_destroy = {
    .name = "destroy", .object = &object, .in_thread = destroy};
static const struct force_operation operation_prefer = {
    .name = "prefer", .object = &object, .in_event = prefer};
static const struct force_operation operation_wake = {
    .name = "wake",
    .object = &object,
    .in_thread = wake,
    .in_event = wake,
    .in_interrupt = FORCE_LEVELS_OF(wake_at),
};
const struct force_operation *const force_operations[] = {
    &operation_pause, &operation_resume, &operation_destroy, &operation_prefer, &operation_wake,
};

/* At a slower clock, fewer instructions are spent on polling. */
static void slow_down(void)
{
    chip_clock_set(SLOW_CLOCK);
}
INIT(slow_down);
