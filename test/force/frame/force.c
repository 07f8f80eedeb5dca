/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The actors, the carriers and the conductor of programs with threads. */
#include "force.h"

#include <lichen/event.h>
#include <lichen/interrupt.h>
#include <lichen/notify.h>
#include <lichen/thread.h>

#include "carry.h"
#include "run.h"
#include "software_interrupt.h"

/* Waits until the actor is to act. */
static void wait_to_go(struct notify *go, unsigned actor)
{
    do {
        notify_wait(go);
    } while (!force_goes[actor]);
    force_goes[actor] = false;
}

/* ---------------------------------------------------------------- the stretch */
NOTIFY(stretch_go);

/* The drivers' path to a thread: a notification that goes through the direct slot, past the ring.
 * One that an interrupt posts before it has arrived goes through the ring. */
INTERRUPT(TC3)
{
    force_goes[FORCE_STRETCH] = true;
    notify_post_from(&stretch_go, ARCH_LEVEL_DRIVER);
    force_on_its_way(&stretch_go.event, ARCH_LEVEL_DRIVER);
}

THREAD(force_stretch, 384, PRIORITY_APP)
{
    for (;;) {
        wait_to_go(&stretch_go, FORCE_STRETCH);
        force_runs();
        force_began[FORCE_STRETCH]++;
        bool in_event = force_choice.place == FORCE_IN_EVENT;
        force_expect(force_keeps(in_event ? force_stretch_in_event
                                          : force_operation_of(FORCE_STRETCH)->in_thread,
                                 FORCE_STRETCH));
        force_runs();
        force_ended[FORCE_STRETCH]++;
    }
}

/* ---------------------------------------------------------------- interrupts and their carriers */
static void carry_in_thread(struct notify *go, unsigned level)
{
    for (;;) {
        wait_to_go(go, 1 + level);
        force_runs();
        force_expect(force_keeps(force_operation_of(1 + level)->in_thread, 1 + level));
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

struct event *const force_postable[FORCE_POSTABLE] = {
    &force_stretch_event, &force_carry_event_0, &force_carry_event_1, &force_carry_event_2,
    &stretch_go.event,    &carry_go_0.event,    &carry_go_1.event,    &carry_go_2.event,
};

static inline __attribute__((always_inline)) void interrupted(unsigned level)
{
    unsigned actor = 1 + level;
    const struct force_operation *operation = force_operation_of(actor);
    force_began[actor]++;
    if (operation->in_interrupt[level] != 0) {
        operation->in_interrupt[level](actor);
        force_ended[actor]++;
        return;
    }
    if (operation->in_event != 0) {
        force_carry(level);
    } else {
        force_goes[actor] = true;
        notify_post_from(carry_go[level], level);
        force_on_its_way(&carry_go[level]->event, level);
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
/* The interrupt line after those of the levels, at the drivers' level. */
#define STRETCH_LINE 3u

static void stretch_interrupt_enable(void)
{
    NVIC_IPR4 = (NVIC_IPR4 & 0xff00ffffu) | ARCH_LEVEL_DRIVER << 22;
    NVIC_ISER = 1u << (TCC0_LINE + STRETCH_LINE);
}

static void stretch_interrupt(void)
{
    software_interrupts(1u << STRETCH_LINE);
}

static void prepare(void)
{
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        force_goes[actor] = false;
    }
    force_litter_threads();
    force_prepare();
    force_litter_kernel();
}

/* Runs until no thread waits for something that no actor will do. */
static void settle(void)
{
    while (force_settle()) {
    }
}

static void check(void)
{
    force_check();
    force_check_carriers();
    for (unsigned level = 0; level < FORCE_LEVELS; level++) {
        force_check_event(&carry_go[level]->event);
        force_expect(carry_go[level]->waiter == carriers[level]);
    }
    force_expect(stretch_go.waiter == &force_stretch);
    force_check_kernel();
}

THREAD(force_conductor, 384, PRIORITY_LOW)
{
    software_interrupts_enable();
    stretch_interrupt_enable();
    if (force_start != 0) {
        force_start();
    }
    for (;;) {
        force_ready();
        prepare();
        force_begin();
        stretch_interrupt();
        settle();
        force_end();
        /* An interrupt at the last moment may have left a thread waiting. */
        settle();
        check();
        force_done();
    }
}
