/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Cooperative threads that wait, sleep, come to their end or rule another one, and what calls them:
 * signals from everywhere, and being added anew.
 *
 * Laws: who is signalled or added comes to its place after it, and not only when the next alarm
 * happens to wake the mote; nobody comes more often than was asked for; who sleeps does not come
 * too early; who is held or killed does nothing.
 */
#include <lichen/coop.h>
#include <lichen/init.h>
#include <lichen/time.h>

#include "chip/chip.h"
#include "force.h"

#define NAP_MS  1
#define REST_US 6000u /* longer than all that they have to do, a nap for each actor included */

enum job { LISTENS = 0, NAPS = 1, ENDS = 2, RULES = 3, JOBS = 4 };

static volatile uint8_t came[JOBS]; /* how often a job was done */
static volatile uint8_t asked[FORCE_ACTORS][JOBS];
static volatile uint8_t came_before[FORCE_ACTORS][JOBS]; /* when the actor asked */
static volatile uint8_t ruled_ran;                       /* what is held and killed at once */
static uint64_t woke_at;
static uint64_t prepared_at;
static bool rested;

COOP(listener)
{
    COOP_BEGIN();
    for (;;) {
        coop_wait();
        came[LISTENS]++;
    }
    COOP_END();
}

COOP(napper)
{
    COOP_BEGIN();
    for (;;) {
        coop_wait();
        coop_sleep_ms(NAP_MS);
        woke_at = time_now_us();
        came[NAPS]++;
    }
    COOP_END();
}

COOP(ender)
{
    COOP_BEGIN();
    coop_yield();
    came[ENDS]++;
    COOP_END();
}

COOP(ruled)
{
    COOP_BEGIN();
    coop_yield();
    ruled_ran++;
    COOP_END();
}

COOP(ruler)
{
    COOP_BEGIN();
    for (;;) {
        coop_wait();
        coop_add(&ruled);
        coop_hold(&ruled);
        coop_yield();
        coop_kill(&ruled);
        coop_yield();
        came[RULES]++;
    }
    COOP_END();
}

static inline __attribute__((always_inline)) void note(unsigned actor, enum job job)
{
    came_before[actor][job] = came[job];
    asked[actor][job] = 1;
}

static void signal(unsigned actor)
{
    note(actor, LISTENS);
    coop_signal(&listener);
}

static void nap(unsigned actor)
{
    note(actor, NAPS);
    coop_signal(&napper);
}

/* One that is not dead goes on as it is: only a dead one owes to come. */
static void add(unsigned actor)
{
    if (ender.state == COOP_DEAD) {
        note(actor, ENDS);
    }
    coop_add(&ender);
}

static void rule(unsigned actor)
{
    note(actor, RULES);
    coop_signal(&ruler);
}

/* All of them come to their places first. */
static void prepare(void)
{
    sleep_us(REST_US);
    for (unsigned job = 0; job < JOBS; job++) {
        came[job] = 0;
        for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
            asked[actor][job] = 0;
        }
    }
    ruled_ran = 0;
    rested = false;
    prepared_at = time_now_us();
}

static bool is_owed(unsigned actor, enum job job)
{
    return asked[actor][job] && came[job] <= came_before[actor][job];
}

static bool is_anything_owed(void)
{
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        for (unsigned job = 0; job < JOBS; job++) {
            if (is_owed(actor, job)) {
                return true;
            }
        }
    }
    return false;
}

/* Lets them run until the mote is asleep. The alarm that ends it wakes the conductor before them,
 * so what was asked for by its beginning and has not come by then was asleep for no reason. */
static bool settle(void)
{
    if (rested && !is_anything_owed()) {
        return false;
    }
    uint8_t asked_by_now[FORCE_ACTORS][JOBS];
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        for (unsigned job = 0; job < JOBS; job++) {
            asked_by_now[actor][job] = asked[actor][job];
        }
    }
    rested = true;
    sleep_us(REST_US);
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        for (unsigned job = 0; job < JOBS; job++) {
            force_expect(!asked_by_now[actor][job] || !is_owed(actor, job));
        }
    }
    return true;
}

static void check(void)
{
    unsigned all[JOBS] = {0};
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        for (unsigned job = 0; job < JOBS; job++) {
            all[job] += asked[actor][job];
            force_expect(!is_owed(actor, job));
        }
    }
    for (unsigned job = 0; job < JOBS; job++) {
        force_expect(came[job] <= all[job]);
    }
    force_expect(ruled_ran == 0);
    force_expect(all[NAPS] != 1 || woke_at >= prepared_at + NAP_MS * TIME_US_PER_MS);
}

static const struct force_object object = {.prepare = prepare, .settle = settle, .check = check};

static const struct force_operation operation_signal = {
    .name = "signal",
    .object = &object,
    .in_thread = signal,
    .in_interrupt = {signal, signal, signal},
};
static const struct force_operation operation_nap = {
    .name = "nap", .object = &object, .in_thread = nap};
static const struct force_operation operation_add = {
    .name = "add", .object = &object, .in_event = add};
static const struct force_operation operation_rule = {
    .name = "rule", .object = &object, .in_thread = rule};

const struct force_operation *const force_operations[] = {
    &operation_signal,
    &operation_nap,
    &operation_add,
    &operation_rule,
};

/* The slower the processor, the fewer instructions poll a clock. */
static void slow_down(void)
{
    chip_clock_set(CHIP_CLOCK_4_MHZ);
}
INIT(slow_down);
