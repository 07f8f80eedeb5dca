/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A thread that each actor makes, and waits for.
 *
 * Laws: it runs once, with its argument, before the wait for its end is over; then the kernel does
 * not know it any more.
 */
#include <lichen/thread.h>

#include "operations.h"

#define STACK_BYTES 256u

static THREAD_STACK(stack_0, STACK_BYTES);
static THREAD_STACK(stack_1, STACK_BYTES);
static THREAD_STACK(stack_2, STACK_BYTES);
static THREAD_STACK(stack_3, STACK_BYTES);
static uint8_t *const stacks[FORCE_ACTORS] = {stack_0, stack_1, stack_2, stack_3};

static struct thread_created created[FORCE_ACTORS];
static volatile uint8_t asked[FORCE_ACTORS];
static volatile uint8_t ran[FORCE_ACTORS];

static void made(void *argument)
{
    ran[(uintptr_t)argument]++;
}

static void create(unsigned actor)
{
    asked[actor]++;
    created[actor].info = (struct thread_info){.entry = made,
                                               .stack = stacks[actor],
                                               .name = "made",
                                               .stack_bytes = STACK_BYTES,
                                               .priority = PRIORITY_APP};
    force_expect(thread_create(&created[actor], (void *)(uintptr_t)actor) == 0);
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
