/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The actors, the carriers and the conductor. */
#include "force.h"

#include <lichen/event.h>
#include <lichen/interrupt.h>
#include <lichen/notify.h>
#include <lichen/thread.h>

#include "software_interrupt.h"

volatile struct force_choice force_choice;
struct force_failure force_failure;

/* How often each actor began and came to its end: by one each, the stretch always. */
static volatile uint8_t began[FORCE_ACTORS];
static volatile uint8_t ended[FORCE_ACTORS];

/* What the actors of this run work on, each once. */
static const struct force_object *objects[FORCE_ACTORS];

static const struct force_operation *operation_of(unsigned actor)
{
    unsigned number = force_choice.operation[actor];
    return number == 0 ? 0 : force_operations[number - 1];
}

bool force_acts(unsigned actor, const struct force_operation *operation)
{
    return operation_of(actor) == operation;
}

void force_fail(const char *expectation, const char *file, uint32_t line)
{
    if (force_failure.expectation == 0) {
        force_failure =
            (struct force_failure){.expectation = expectation, .file = file, .line = line};
    }
}

/* ---------------------------------------------------------------- the stretch */
NOTIFY(stretch_go);

EVENT(stretch_event)
{
    operation_of(FORCE_STRETCH)->in_event(FORCE_STRETCH);
}

THREAD(force_stretch, 384, PRIORITY_APP)
{
    for (;;) {
        notify_wait(&stretch_go);
        force_runs();
        began[FORCE_STRETCH]++;
        if (force_choice.place == FORCE_IN_EVENT) {
            event_post(&stretch_event);
        } else {
            operation_of(FORCE_STRETCH)->in_thread(FORCE_STRETCH);
        }
        force_runs();
        ended[FORCE_STRETCH]++;
    }
}

/* ---------------------------------------------------------------- interrupts and what carries */
static inline void carry_in_event(unsigned level)
{
    operation_of(1 + level)->in_event(1 + level);
    ended[1 + level]++;
}

EVENT(carry_event_0)
{
    carry_in_event(0);
}
EVENT(carry_event_1)
{
    carry_in_event(1);
}
EVENT(carry_event_2)
{
    carry_in_event(2);
}
static struct event *const carry_events[FORCE_LEVELS] = {&carry_event_0, &carry_event_1,
                                                         &carry_event_2};

static void carry_in_thread(struct notify *go, unsigned level)
{
    for (;;) {
        notify_wait(go);
        force_runs();
        operation_of(1 + level)->in_thread(1 + level);
        force_runs();
        ended[1 + level]++;
    }
}

NOTIFY(carry_go_0);
NOTIFY(carry_go_1);
NOTIFY(carry_go_2);
static struct notify *const carry_go[FORCE_LEVELS] = {&carry_go_0, &carry_go_1, &carry_go_2};

THREAD(force_carry_0, 384, PRIORITY_HIGH)
{
    carry_in_thread(&carry_go_0, 0);
}
THREAD(force_carry_1, 384, PRIORITY_HIGH)
{
    carry_in_thread(&carry_go_1, 1);
}
THREAD(force_carry_2, 384, PRIORITY_HIGH)
{
    carry_in_thread(&carry_go_2, 2);
}

static struct thread *const carriers[FORCE_LEVELS] = {&force_carry_0, &force_carry_1,
                                                      &force_carry_2};

static inline __attribute__((always_inline)) void interrupted(unsigned level)
{
    unsigned actor = 1 + level;
    const struct force_operation *operation = operation_of(actor);
    began[actor]++;
    if (operation->in_interrupt[level] != 0) {
        operation->in_interrupt[level](actor);
        ended[actor]++;
    } else if (operation->in_event != 0) {
        event_post_from(carry_events[level], level);
        force_queued(carry_events[level], level);
    } else {
        notify_post_from(carry_go[level], level);
        if (level != ARCH_LEVEL_DRIVER) {
            force_queued(&carry_go[level]->event, level);
        }
    }
}

INTERRUPT(TCC0)
{
    interrupted(0);
}
INTERRUPT(TCC1)
{
    interrupted(1);
}
INTERRUPT(TCC2)
{
    interrupted(2);
}

/* ---------------------------------------------------------------- the conductor */
__attribute__((noinline)) void force_ready(void)
{
    __asm__ volatile("");
}
__attribute__((noinline)) void force_begin(void)
{
    __asm__ volatile("" : : : "memory");
}
__attribute__((noinline)) void force_end(void)
{
    __asm__ volatile("" : : : "memory");
}
__attribute__((noinline)) void force_done(void)
{
    __asm__ volatile("");
}

/* The object of an actor's operation, unless an actor before it works on the same. */
static const struct force_object *object_of(unsigned actor)
{
    const struct force_operation *operation = operation_of(actor);
    for (unsigned before = 0; operation != 0 && before < actor; before++) {
        const struct force_operation *other = operation_of(before);
        if (other != 0 && other->object == operation->object) {
            return 0;
        }
    }
    return operation == 0 ? 0 : operation->object;
}

static void prepare(void)
{
    force_failure = (struct force_failure){0};
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        began[actor] = 0;
        ended[actor] = 0;
        objects[actor] = object_of(actor);
        if (objects[actor] != 0) {
            objects[actor]->prepare();
        }
    }
}

/* Until nobody waits for what no actor will do. */
static void settle(void)
{
    bool anything;
    do {
        anything = false;
        for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
            if (objects[actor] != 0 && objects[actor]->settle != 0) {
                anything |= objects[actor]->settle();
            }
        }
    } while (anything);
}

static void check(void)
{
    force_expect(began[FORCE_STRETCH] == 1);
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        force_expect(began[actor] <= 1);
        force_expect(ended[actor] == began[actor]);
        if (objects[actor] != 0) {
            objects[actor]->check();
        }
    }
    force_check_event(&stretch_event);
    for (unsigned level = 0; level < FORCE_LEVELS; level++) {
        force_check_event(carry_events[level]);
        force_check_event(&carry_go[level]->event);
        force_expect(carry_go[level]->waiter == carriers[level]);
    }
    force_expect(stretch_go.waiter == &force_stretch);
    force_check_kernel();
}

THREAD(force_conductor, 384, PRIORITY_LOW)
{
    software_interrupts_enable();
    for (;;) {
        force_ready();
        prepare();
        force_begin();
        notify_post(&stretch_go);
        settle();
        force_end();
        /* An interrupt at the last moment may have left somebody waiting. */
        settle();
        check();
        force_done();
    }
}
