/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The actors, the carriers and the conductor of programs with threads. */
#include "force.h"

#include <lichen/event.h>
#include <lichen/interrupt.h>
#include <lichen/notify.h>
#include <lichen/thread.h>

#include "arch/arch.h"
#include "carry.h"
#include "force_stack.h"
#include "run.h"

/* test/frames.cmake defines by how much a program's actors need more than most. */
#define ACTOR_STACK (FORCE_STACK + FORCE_DEEPER)

/* Waits until the actor is to act. */
static void wait_to_go(struct notify *go, unsigned actor)
{
    do {
        notify_wait(go);
    } while (force_goes[actor] != THREAD_GOES);
    force_goes[actor] = NOBODY_GOES;
}

/* ---------------------------------------------------------------- the stretch */
NOTIFY(stretch_go);

/* The drivers' path to a thread: a notification that goes through the direct slot, past the ring.
 * One that an interrupt posts before it has arrived goes through the ring. */
SOFTWARE_DRIVER_INTERRUPT()
{
    force_goes[FORCE_STRETCH] = THREAD_GOES;
    notify_post_from(&stretch_go, ARCH_LEVEL_DRIVER);
    force_on_its_way(&stretch_go.event, ARCH_LEVEL_DRIVER);
}

THREAD(force_stretch, ACTOR_STACK, PRIORITY_APP)
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

#define CARRIER(level, name)                                                                       \
    NOTIFY(carry_go_##level);                                                                      \
    THREAD(force_carry_##level, ACTOR_STACK, PRIORITY_HIGH)                                        \
    {                                                                                              \
        carry_in_thread(&carry_go_##level, level);                                                 \
    }
SOFTWARE_EACH_LEVEL(CARRIER, )

static struct notify *const carry_go[FORCE_LEVELS] = FORCE_OBJECTS(carry_go);
static struct thread *const carriers[FORCE_LEVELS] = FORCE_OBJECTS(force_carry);

#define CARRY_GO_EVENT(level, name) &carry_go_##level.event,

struct event *const force_postable[FORCE_POSTABLE] = {
    &force_stretch_event, SOFTWARE_EACH_LEVEL(FORCE_OBJECT, force_carry_event) & stretch_go.event,
    SOFTWARE_EACH_LEVEL(CARRY_GO_EVENT, )};

static __attribute__((noinline)) void expect_kernels_stack(void)
{
    const void *sp = force_stack_pointer();
    force_expect(sp >= (void *)kernel_stack_bottom && sp <= (void *)kernel_stack_top);
}

static inline __attribute__((always_inline)) void interrupted(unsigned level)
{
    if (force_on_kernels_stack(level)) {
        expect_kernels_stack();
    }
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
        force_goes[actor] = THREAD_GOES;
        notify_post_from(carry_go[level], level);
        force_on_its_way(&carry_go[level]->event, level);
    }
}

SOFTWARE_INTERRUPTS(interrupted)

/* ---------------------------------------------------------------- the conductor */
static void prepare(void)
{
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        force_goes[actor] = NOBODY_GOES;
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

THREAD(force_conductor, ACTOR_STACK, PRIORITY_LOW)
{
    software_interrupts_enable();
    software_driver_interrupt_enable();
    if (force_start != 0) {
        force_start();
    }
    for (;;) {
        force_ready();
        prepare();
        force_begin();
        software_driver_interrupt();
        settle();
        force_end();
        /* An interrupt at the last moment may have left a thread waiting. */
        settle();
        check();
        force_done();
    }
}
