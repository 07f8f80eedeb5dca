/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A semaphore that interrupts give, too, from each of its states: at 1, nearly full, full, with
 * counts of interrupts that are about to wrap, and with two threads that wait, one more urgent than
 * the stretch and one less.
 *
 * Laws: what was given was taken, is still there, or did not fit; the giver is told if it did not
 * fit; no thread waits while the count is not 0; the more urgent of the two is served first.
 */
#include <lichen/init.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>

#include "../kernel/operations.h"
#include "chip/chip.h"

#define WAITERS   2u
#define NOT_TAKEN 7u /* no more than what is given in a run */

SEMAPHORE_RT(shared, 0);

static uint32_t there;                              /* in the beginning */
static volatile uint8_t gave[FORCE_ACTORS + 1];     /* by actor, and the conductor */
static volatile uint8_t gave_blindly[FORCE_LEVELS]; /* by interrupts, which are not told */
static volatile uint8_t took[FORCE_ACTORS];
static volatile uint8_t took_waiting[WAITERS];
static volatile uint8_t waits[FORCE_ACTORS];       /* without a deadline, at present */
static volatile uint8_t waits_until[FORCE_ACTORS]; /* with one, at present */

static void give(unsigned actor)
{
    int error = semaphore_post(&shared.semaphore);
    force_expect(error == 0 || error == ERR_FULL);
    force_expect(error == 0 || there + NOT_TAKEN > UINT16_MAX);
    gave[actor] = (uint8_t)(gave[actor] + (error == 0));
}

static inline __attribute__((always_inline)) void give_at(unsigned actor __attribute__((unused)),
                                                          unsigned level)
{
    gave_blindly[level]++;
    semaphore_post_from(&shared, level);
    force_on_its_way(&shared.event, level);
}
FORCE_AT_EACH_LEVEL(give_at)

static void take(unsigned actor)
{
    waits[actor] = 1;
    semaphore_wait(&shared.semaphore);
    waits[actor] = 0;
    took[actor]++;
}

static void try(unsigned actor)
{
    int error = semaphore_try(&shared.semaphore);
    force_expect(error == 0 || error == ERR_EMPTY);
    took[actor] = (uint8_t)(took[actor] + (error == 0));
}

static void take_until(unsigned actor)
{
    waits_until[actor] = 1;
    int error = semaphore_wait_until(&shared.semaphore, soon);
    force_expect(error == 0 || error == ERR_TIMEOUT);
    took[actor] = (uint8_t)(took[actor] + (error == 0));
    waits_until[actor] = 0;
    over();
}

/* ---------------------------------------------------------------- states */
THREAD_STOPPED(calm, FORCE_STACK, PRIORITY_APP - 1)
{
    semaphore_wait(&shared.semaphore);
    took_waiting[0] = 1;
    force_expect(took_waiting[1]);
}
THREAD_STOPPED(urgent, FORCE_STACK, PRIORITY_APP + 1)
{
    semaphore_wait(&shared.semaphore);
    took_waiting[1] = 1;
}

static void begin(struct thread *thread)
{
    force_expect(thread_start(thread, 0) == 0);
    force_expect(thread->state == THREAD_WAITING);
}

static void begin_with(uint16_t count)
{
    there = count;
    shared.semaphore.count = count;
}

static void enter_one(void)
{
    begin_with(1);
}
static void enter_nearly_full(void)
{
    begin_with(UINT16_MAX - 1);
}
static void enter_full(void)
{
    begin_with(UINT16_MAX);
}
static void enter_turned(void)
{
    for (unsigned level = 0; level < ARCH_LEVELS; level++) {
        shared.posted[level] = UINT8_MAX;
        shared.taken[level] = UINT8_MAX;
    }
}
static void enter_waited_for(void)
{
    begin(&calm);
    begin(&urgent);
}

static const struct force_state one = {.name = "one", .enter = enter_one};
static const struct force_state nearly_full = {.name = "nearly_full", .enter = enter_nearly_full};
static const struct force_state full = {.name = "full", .enter = enter_full};
static const struct force_state turned = {.name = "turned", .enter = enter_turned};
static const struct force_state waited_for = {.name = "waited_for", .enter = enter_waited_for};

const struct force_state *const force_states[] = {&one, &nearly_full, &full, &turned, &waited_for};

/* ---------------------------------------------------------------- the object
 */
static void prepare(void)
{
    there = 0;
    gave[FORCE_CONDUCTOR] = 0;
    took_waiting[0] = 0;
    took_waiting[1] = 0;
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        gave[actor] = 0;
        took[actor] = 0;
        waits[actor] = 0;
        waits_until[actor] = 0;
        if (force_acts(actor, &operation_take_until)) {
            soon_prepare();
        }
    }
    for (unsigned level = 0; level < FORCE_LEVELS; level++) {
        gave_blindly[level] = 0;
    }
}

static uint32_t taken(void)
{
    return force_sum(took, FORCE_ACTORS) + force_sum(took_waiting, WAITERS);
}

/* The waiters, as the semaphore lists them. Called at the kernel level. */
static int is_waited_for(void *unused __attribute__((unused)))
{
    force_expect(shared.semaphore.waiting == 0 || shared.semaphore.count == 0);
    return shared.semaphore.waiting != 0;
}

static bool settle(void)
{
    bool is_waited = kernel_run(is_waited_for, 0) != 0;
    if (force_sum(waits_until, FORCE_ACTORS) > 0) {
        over_wait();
        return true;
    }
    if (is_waited) {
        give(FORCE_CONDUCTOR);
    }
    return is_waited;
}

static void check(void)
{
    uint32_t count = shared.semaphore.count;
    uint32_t told = there + force_sum(gave, FORCE_ACTORS + 1);
    uint32_t all = told + force_sum(gave_blindly, FORCE_LEVELS);
    force_expect(count + taken() <= all);
    force_expect(count + taken() >= told);
    force_expect(count + taken() == all || all > UINT16_MAX);
    force_expect(shared.semaphore.waiting == 0 && force_sum(waits, FORCE_ACTORS) == 0);
    for (unsigned level = 0; level < ARCH_LEVELS; level++) {
        force_expect(shared.posted[level] == shared.taken[level]);
        shared.posted[level] = 0;
        shared.taken[level] = 0;
    }
    force_check_event(&shared.event);
    shared.semaphore.count = 0;
}

static const struct force_object object = {.prepare = prepare, .settle = settle, .check = check};

const struct force_operation operation_give = {
    .name = "give",
    .object = &object,
    .in_thread = give,
    .in_event = give,
    .in_interrupt = FORCE_LEVELS_OF(give_at),
};
const struct force_operation operation_take = {
    .name = "take", .object = &object, .in_thread = take};
const struct force_operation operation_try = {
    .name = "try", .object = &object, .in_thread = try, .in_event = try};
const struct force_operation operation_take_until = {
    .name = "take_until", .object = &object, .in_thread = take_until};

const struct force_operation *const force_operations[] = {&operation_give, &operation_take,
                                                          &operation_try, &operation_take_until};

/* At a slower clock, fewer instructions are spent on polling. */
static void slow_down(void)
{
    chip_clock_set(SLOW_CLOCK);
}
INIT(slow_down);
