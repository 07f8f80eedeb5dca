/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Code shared by the conductors. */
#include "run.h"

volatile struct force_choice force_choice;
struct force_failure force_failure;
unsigned force_round;

/* For the host. */
const ARCH_FLASH uint8_t software_interrupts_of_levels[FORCE_LEVELS] = {SOFTWARE_INTERRUPT_NUMBERS};

volatile uint8_t force_began[FORCE_ACTORS];
volatile uint8_t force_ended[FORCE_ACTORS];

/* The objects of this run's actors, each once. */
static const struct force_object *objects[FORCE_ACTORS];

bool force_acts(unsigned actor, const struct force_operation *operation)
{
    return force_operation_of(actor) == operation;
}

void force_fail(const char *expectation, const char *file, uint32_t line)
{
    if (force_failure.expectation == 0) {
        force_failure =
            (struct force_failure){.expectation = expectation, .file = file, .line = line};
    }
}

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

/* The object of an actor's operation, unless an earlier actor uses the same. */
static const struct force_object *object_of(unsigned actor)
{
    const struct force_operation *operation = force_operation_of(actor);
    for (unsigned before = 0; operation != 0 && before < actor; before++) {
        const struct force_operation *other = force_operation_of(before);
        if (other != 0 && other->object == operation->object) {
            return 0;
        }
    }
    return operation == 0 ? 0 : operation->object;
}

void force_prepare(void)
{
    force_failure = (struct force_failure){0};
    force_round++;
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        force_began[actor] = 0;
        force_ended[actor] = 0;
        objects[actor] = object_of(actor);
        if (objects[actor] != 0) {
            objects[actor]->prepare();
        }
    }
    if (force_states != 0 && force_states[force_choice.state]->enter != 0) {
        force_states[force_choice.state]->enter();
    }
}

bool force_settle(void)
{
    bool anything = false;
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        if (objects[actor] != 0 && objects[actor]->settle != 0) {
            anything |= objects[actor]->settle();
        }
    }
    return anything;
}

void force_check(void)
{
    force_expect(force_began[FORCE_STRETCH] == 1);
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        force_expect(force_began[actor] <= 1);
        force_expect(force_ended[actor] == force_began[actor]);
        if (objects[actor] != 0) {
            objects[actor]->check();
        }
    }
}
