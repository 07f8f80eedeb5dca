/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A loaded program that is run and stopped, or ends with its last thread, while interrupts notify
 * that thread.
 *
 * Laws: each time that the program was run it ends, once; its thread is stopped then, and waits
 * for nothing; it continues only if it was notified.
 */
#include <stddef.h>

#include <lichen/error.h>
#include <lichen/notify.h>
#include <lichen/thread.h>

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

/* In place of the loader's. */
void program_ended(struct program *this)
{
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

static const struct force_object object = {.prepare = prepare, .settle = settle, .check = check};

static const struct force_operation stops = {
    .name = "run_and_stop", .object = &object, .in_thread = run_and_stop};
static const struct force_operation ends = {
    .name = "run_and_end", .object = &object, .in_thread = run_and_end};
static const struct force_operation rings = {
    .name = "ring", .object = &object, .in_interrupt = FORCE_LEVELS_OF(ring_at)};

const struct force_operation *const force_operations[] = {&stops, &ends, &rings};
