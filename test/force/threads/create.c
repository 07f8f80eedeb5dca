/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A thread that each actor makes and joins.
 *
 * Laws: it runs once, with its argument, before the wait for its end is over; meanwhile the kernel
 * lists it, and its control block holds what it was made with; afterwards the kernel no longer
 * lists it.
 */
#include <string.h>

#include <lichen/thread.h>

#include "arch/arch.h"
#include "operations.h"

#define STACK_BYTES FORCE_SMALL_STACK
#define ARGUMENT    0xa500u /* of the stretch's thread; a value unlikely in memory */
#define JUNK        0x5a

#define OWN_STACK(actor, name) static THREAD_STACK(name##_##actor, STACK_BYTES);
FORCE_EACH_ACTOR(OWN_STACK, stack)
#define STACK_OF(actor, name) name##_##actor,
static uint8_t *const stacks[FORCE_ACTORS] = {FORCE_EACH_ACTOR(STACK_OF, stack)};

static struct thread_created created[FORCE_ACTORS];
static volatile uint8_t asked[FORCE_ACTORS];
static volatile uint8_t ran[FORCE_ACTORS];

/* What the kernel knows of it while it runs. */
static void check_known(const struct thread_created *this, unsigned actor)
{
    const struct thread *thread = &this->thread;
    force_expect(thread == thread_self());
    force_expect(ARCH_FLASH_IS_APART || (const void *)thread_info_of(thread) == &this->info);
    force_expect(ARCH_FLASH_IS_APART || (const void *)thread->info == &this->info);
    force_expect(this->info.thread == thread);
    force_expect(thread->base == PRIORITY_APP && thread->priority == PRIORITY_APP);
    force_expect(thread->state == THREAD_READY);
    force_expect(thread->stack_limit == stacks[actor] + ARCH_STACK_SPARE);
    force_expect(force_is_painted(stacks[actor]));
}

static void made(void *argument)
{
    unsigned actor = (unsigned)(uintptr_t)argument - ARGUMENT;
    force_expect(actor < FORCE_ACTORS);
    check_known(&created[actor], actor);
    ran[actor]++;
}

/* Its control block is in memory that held something else. */
static void create(unsigned actor)
{
    asked[actor]++;
    memset(&created[actor], JUNK, sizeof(created[actor]));
    created[actor].info = (struct thread_info){.entry = made,
                                               .stack = stacks[actor],
                                               .name = "made",
                                               .stack_bytes = STACK_BYTES,
                                               .priority = PRIORITY_APP};
    force_expect(thread_create(&created[actor], (void *)(uintptr_t)(ARGUMENT + actor)) == 0);
    thread_join(&created[actor].thread);
    force_expect(ran[actor] == 1);
}

static void prepare(void)
{
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        asked[actor] = 0;
        ran[actor] = 0;
    }
}

static void check(void)
{
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        force_expect(ran[actor] == asked[actor]);
        force_expect(thread_info_of(&created[actor].thread) == 0);
    }
}

static const struct force_object object = {.prepare = prepare, .check = check};

const struct force_operation operation_create = {
    .name = "create", .object = &object, .in_thread = create};
