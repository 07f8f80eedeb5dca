/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A loaded program that is run and stopped, or ends with its last thread, while interrupts notify
 * that thread; and one of events alone, which ends with a failure in one of them.
 *
 * Laws: each time that a program was run it ends, once; its thread is stopped then, and waits
 * for nothing; it continues only if it was notified. An event runs each time that its timer is due.
 * None of the program runs behind the one that fails, and the image's that lies between does.
 */
#include <stddef.h>

#include <lichen/assert.h>
#include <lichen/error.h>
#include <lichen/event.h>
#include <lichen/kernel.h>
#include <lichen/notify.h>
#include <lichen/thread.h>
#include <lichen/timer.h>

#include "force.h"
#include "kernel/program/program.h"
#include "load/container.h"

#define STACK   THREAD_STACK_ROUND(FORCE_SMALL_STACK)
#define OBJECTS ((sizeof(struct thread) + 7) / 8 * 8)

NOTIFY(bell);

/* Objects, then the stack. */
static uint8_t block[OBJECTS + STACK] __attribute__((aligned(8)));
static struct program program;

static volatile uint8_t rung[FORCE_ACTORS];
static volatile uint8_t started[FORCE_ACTORS];
static volatile uint8_t begun, woken, ended;

/* -------- events */

#define FAR_US (UINT64_C(1) << 40)

enum { FIRST, FAILS, LAST, EVENTS };

/* What it has for the kernel. */
struct played {
    struct event events[EVENTS];
    struct timer timer;
};
static uint8_t played[sizeof(struct played)] __attribute__((aligned(8)));
static struct played *const objects = (struct played *)(void *)played;

#define EVENT_AT(which) ((void *)(played + offsetof(struct played, events[which])))

static struct program of_events;

static volatile uint8_t events_started[FORCE_ACTORS];
static volatile uint8_t events_ended, armed, first_ran, of_image_posted, of_image_ran;

static void first(struct event *event __attribute__((unused)))
{
    first_ran++;
}

static void fails(struct event *event __attribute__((unused)))
{
    assert(false);
}

static void last(struct event *event __attribute__((unused)))
{
    force_expect(false);
}

EVENT(of_image)
{
    force_expect(events_ended == of_image_posted);
    of_image_ran++;
}

static const struct events_image {
    struct container_header header;
    struct event_row events[EVENTS];
} events_image ARCH_FLASH_PLACED(events_image) = {
    .header = {.object_bytes = sizeof(played), .events = EVENTS},
    .events = {{EVENT_AT(FIRST), first}, {EVENT_AT(FAILS), fails}, {EVENT_AT(LAST), last}},
};

/* Another actor may have run the program, and ended it. */
static int arm_at_once(void *argument)
{
    if (program_of(played) != 0) {
        int error = timer_arm(&objects->timer, 0);
        force_expect(error == 0);
        armed++;
    }
    return (int)(intptr_t)argument;
}

static int post_all(void *argument)
{
    if (program_of(played) != 0) {
        struct event *event = EVENT_AT(LAST);
        int error = timer_arm(&objects->timer, FAR_US);
        force_expect(error == 0);
        event->pending = event->queued[KERNEL_INDEX(ARCH_LEVEL_KERNEL)] = 0;
        event_post(EVENT_AT(FAILS));
        event_post(&of_image);
        event_post(EVENT_AT(LAST));
        of_image_posted++;
    }
    return (int)(intptr_t)argument;
}

static void run_events(unsigned actor)
{
    int error = program_run(&of_events);
    force_expect(error == 0 || error == ERR_BUSY);
    if (error == 0) {
        events_started[actor]++;
    }
    (void)kernel_run(arm_at_once, 0);
    (void)kernel_run(post_all, 0);
}

static void prepare_events(void)
{
    of_events.header = &ARCH_FLASH_OF(&events_image)->header;
    of_events.code = (const ARCH_FLASH uint8_t *)ARCH_FLASH_OF(&events_image)->events;
    of_events.objects = played;
    of_events.data = of_events.objects;
    *objects = (struct played){.timer = {.event = EVENT_AT(FIRST)}};
    events_ended = armed = first_ran = of_image_posted = of_image_ran = 0;
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        events_started[actor] = 0;
    }
}

static void check_events(void)
{
    force_expect(events_ended == force_sum(events_started, FORCE_ACTORS));
    force_expect(first_ran == armed && of_image_posted == events_ended);
    force_expect(of_image_ran == of_image_posted);
    force_expect(!program_runs(&of_events));
    force_check_event(&of_image);
}

/* -------- a thread */

/* In place of the loader's, which may give the memory to another program. */
void program_ended(struct program *this)
{
    if (this == &of_events) {
        events_ended++;
        objects->events[LAST].run = last;
        return;
    }
    force_expect(this == &program);
    ended++;
}

static void body(void *argument)
{
    (void)argument;
    begun++;
    notify_wait(&bell);
    woken++;
    force_expect(force_sum(rung, FORCE_ACTORS) > 0);
}

static const char name[] ARCH_TEXT_PLACED(name) = "played";
static const struct image {
    struct container_header header;
    struct thread_info thread;
} image ARCH_FLASH_PLACED(image) = {
    .header = {.object_bytes = OBJECTS, .stack_bytes = STACK, .threads = 1},
    .thread = {.thread = (struct thread *)(void *)block,
               .entry = body,
               .stack = block + OBJECTS,
               .name = name,
               .stack_bytes = STACK,
               .priority = PRIORITY_APP + 1},
};

/* Actors are threads of several priorities, and another one may have run it already. */
static void run(unsigned actor)
{
    int error = program_run(&program);
    force_expect(error == 0 || error == ERR_BUSY);
    if (error == 0) {
        started[actor]++;
    }
}

static void run_and_stop(unsigned actor)
{
    run(actor);
    program_stop(&program);
}

static void run_and_end(unsigned actor)
{
    run(actor);
    rung[actor]++;
    notify_post(&bell);
}

static inline __attribute__((always_inline)) void ring_at(unsigned actor, unsigned level)
{
    rung[actor]++;
    notify_post_from(&bell, level);
}
FORCE_AT_EACH_LEVEL(ring_at)

static void prepare(void)
{
    program.header = &ARCH_FLASH_OF(&image)->header;
    program.code = (const ARCH_FLASH uint8_t *)&ARCH_FLASH_OF(&image)->thread;
    program.objects = block;
    program.data = block;
    begun = woken = ended = 0;
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        rung[actor] = 0;
        started[actor] = 0;
    }
}

/* Two may have rung for a program that then began once more. */
static bool settle(void)
{
    bool was_running = program_runs(&program);
    program_stop(&program);
    return was_running;
}

static void check(void)
{
    const struct thread *thread = (const struct thread *)(const void *)block;

    force_expect(ended == force_sum(started, FORCE_ACTORS));
    force_expect(begun <= ended && woken <= begun);
    force_expect(!program_runs(&program));
    force_expect(ended == 0 || thread->state == THREAD_STOPPED);
    force_expect(bell.waiter == 0 || bell.waiter == NOTIFY_SET);
    force_expect(woken <= force_sum(rung, FORCE_ACTORS));
    if (bell.waiter == NOTIFY_SET) {
        notify_wait(&bell); /* for the next run: at once */
    }
    force_check_event(&bell.event);
}

static const struct force_object events = {.prepare = prepare_events, .check = check_events};
static const struct force_object object = {.prepare = prepare, .settle = settle, .check = check};

static const struct force_operation stops = {
    .name = "run_and_stop", .object = &object, .in_thread = run_and_stop};
static const struct force_operation ends = {
    .name = "run_and_end", .object = &object, .in_thread = run_and_end};
static const struct force_operation rings = {
    .name = "ring", .object = &object, .in_interrupt = FORCE_LEVELS_OF(ring_at)};
static const struct force_operation runs_events = {
    .name = "run_events", .object = &events, .in_thread = run_events};

const struct force_operation *const force_operations[] = {&stops, &ends, &rings, &runs_events};
