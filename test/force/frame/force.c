/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The actors, the carriers and the conductor of programs with threads. */
#include "force.h"

#include <lichen/event.h>
#include <lichen/interrupt.h>
#include <lichen/notify.h>
#include <lichen/thread.h>

#include "run.h"
#include "software_interrupt.h"

/* ---------------------------------------------------------------- the stretch */
NOTIFY(stretch_go);

EVENT(stretch_event)
{
    force_operation_of(FORCE_STRETCH)->in_event(FORCE_STRETCH);
}

THREAD(force_stretch, 384, PRIORITY_APP)
{
    for (;;) {
        notify_wait(&stretch_go);
        force_runs();
        force_began[FORCE_STRETCH]++;
        if (force_choice.place == FORCE_IN_EVENT) {
            event_post(&stretch_event);
        } else {
            force_operation_of(FORCE_STRETCH)->in_thread(FORCE_STRETCH);
        }
        force_runs();
        force_ended[FORCE_STRETCH]++;
    }
}

/* ---------------------------------------------------------------- interrupts and what carries */
static inline void carry_in_event(unsigned level)
{
    force_operation_of(1 + level)->in_event(1 + level);
    force_ended[1 + level]++;
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
        force_operation_of(1 + level)->in_thread(1 + level);
        force_runs();
        force_ended[1 + level]++;
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
    const struct force_operation *operation = force_operation_of(actor);
    force_began[actor]++;
    if (operation->in_interrupt[level] != 0) {
        operation->in_interrupt[level](actor);
        force_ended[actor]++;
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
/* Until nobody waits for what no actor will do. */
static void settle(void)
{
    while (force_settle()) {
    }
}

static void check(void)
{
    force_check();
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
        force_prepare();
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
