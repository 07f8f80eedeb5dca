/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Yielding to two threads of the stretch's priority, which are made ready just before.
 *
 * Laws: both run after they were made ready, and before a yield of their equal returns; neither
 * runs more often than it was made ready; the one that was ready first runs first.
 */
#include <lichen/notify.h>
#include <lichen/thread.h>

#include "operations.h"

#define EQUALS 2u

NOTIFY(go_0);
NOTIFY(go_1);
static struct notify *const go[EQUALS] = {&go_0, &go_1};

static volatile uint8_t asked[FORCE_ACTORS];
static volatile uint8_t turns_before[FORCE_ACTORS][EQUALS]; /* turns when the actor asked */
static volatile uint8_t turns[EQUALS];
static volatile uint8_t turns_of_first; /* those of the first equal when the second came to run */

THREAD(equal_0, FORCE_SMALL_STACK, PRIORITY_APP)
{
    for (;;) {
        notify_wait(&go_0);
        turns[0]++;
    }
}
THREAD(equal_1, FORCE_SMALL_STACK, PRIORITY_APP)
{
    for (;;) {
        notify_wait(&go_1);
        if (turns[1] == 0) {
            turns_of_first = turns[0];
        }
        turns[1]++;
    }
}

static void yield(unsigned actor)
{
    asked[actor] = 1;
    for (unsigned equal = 0; equal < EQUALS; equal++) {
        turns_before[actor][equal] = turns[equal];
        notify_post(go[equal]);
    }
    thread_yield();
    for (unsigned equal = 0; equal < EQUALS && actor == FORCE_STRETCH; equal++) {
        force_expect(turns[equal] > turns_before[actor][equal]);
    }
}

static void prepare(void)
{
    for (unsigned equal = 0; equal < EQUALS; equal++) {
        turns[equal] = 0;
    }
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        asked[actor] = 0;
    }
    turns_of_first = 0;
}

static void check(void)
{
    unsigned all = 0;
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        all += asked[actor];
        for (unsigned equal = 0; equal < EQUALS; equal++) {
            force_expect(!asked[actor] || turns[equal] > turns_before[actor][equal]);
        }
    }
    force_expect(turns[0] <= all && turns[1] <= all);
    force_expect(all == 0 || turns_of_first > 0);
    force_expect(go_0.waiter == &equal_0 && go_1.waiter == &equal_1);
    force_check_event(&go_0.event);
    force_check_event(&go_1.event);
}

static const struct force_object object = {.prepare = prepare, .check = check};

const struct force_operation operation_yield = {
    .name = "yield", .object = &object, .in_thread = yield};
