/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Three events that weave as a pair and as a chain, and one that lies between them in the ring.
 *
 * Laws: a post of a half is followed by a run that serves it, alone or woven, and there are no more
 * such runs than posts; posts that the kernel level sees together weave, in the place of the first;
 * a half whose partners are not posted runs alone.
 */
#include <lichen/event.h>
#include <lichen/woven.h>

#include "events.h"

enum half { A = 0, B = 1, C = 2, BETWEEN = 3, HALVES = 4 };

static volatile uint8_t served[HALVES];
static volatile uint8_t woven_runs; /* of the pair */
static volatile uint8_t chain_runs;
static volatile uint8_t between_was_early; /* it ran before the pair between whose halves it was
                                            * posted */
static volatile uint8_t posts[FORCE_ACTORS][HALVES];
static volatile uint8_t served_before[FORCE_ACTORS][HALVES]; /* when the actor posted */
static volatile uint8_t in_pieces[FORCE_ACTORS]; /* by a thread: each post ran on its own */

EVENT(half_a)
{
    served[A]++;
}
EVENT(half_b)
{
    served[B]++;
}
EVENT(half_c)
{
    served[C]++;
}
EVENT(between)
{
    served[BETWEEN]++;
    between_was_early |= woven_runs == 0;
}
WOVEN(pair, half_a, half_b)
{
    served[A]++;
    served[B]++;
    woven_runs++;
}
WOVEN(chain_of_three, pair, half_c)
{
    served[A]++;
    served[B]++;
    served[C]++;
    chain_runs++;
}

static struct event *const events[HALVES] = {&half_a, &half_b, &half_c, &between};

static inline __attribute__((always_inline)) void note(unsigned actor, enum half half)
{
    served_before[actor][half] = served[half];
    posts[actor][half] = 1;
}

static void post_in_thread(unsigned actor, enum half half)
{
    note(actor, half);
    in_pieces[actor] = 1;
    event_post(events[half]);
    force_expect(served[half] > served_before[actor][half]);
}

static void post_in_event(unsigned actor, enum half half)
{
    note(actor, half);
    event_post(events[half]);
    force_queued(events[half], ARCH_LEVEL_KERNEL);
}

static void weave_in_thread(unsigned actor)
{
    post_in_thread(actor, A);
    post_in_thread(actor, BETWEEN);
    post_in_thread(actor, B);
}

static void weave_in_event(unsigned actor)
{
    post_in_event(actor, A);
    post_in_event(actor, BETWEEN);
    post_in_event(actor, B);
}

static void chain_in_event(unsigned actor)
{
    post_in_event(actor, A);
    post_in_event(actor, C);
    post_in_event(actor, B);
}

static void half_in_event(unsigned actor)
{
    post_in_event(actor, B);
}

static inline __attribute__((always_inline)) void half_at(unsigned actor, unsigned level)
{
    note(actor, B);
    event_post_from(&half_b, level);
    force_queued(&half_b, level);
}
FORCE_AT_EACH_LEVEL(half_at)

static void prepare(void)
{
    woven_runs = 0;
    chain_runs = 0;
    between_was_early = 0;
    for (unsigned half = 0; half < HALVES; half++) {
        served[half] = 0;
        for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
            posts[actor][half] = 0;
        }
    }
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        in_pieces[actor] = 0;
    }
}

/* What holds in a run in which only one actor posted, and posted everything at once. */
static void check_exactly(const volatile uint8_t *posted)
{
    bool both = posted[A] && posted[B];
    force_expect(chain_runs == (both && posted[C]));
    force_expect(woven_runs == (both && !posted[C]));
    force_expect(!posted[BETWEEN] || !between_was_early);
    for (unsigned half = 0; half < HALVES; half++) {
        force_expect(served[half] == posted[half]);
    }
}

/* What the posts of each actor imply for the woven runs. */
static void check_woven(void)
{
    unsigned posters = 0;
    unsigned only = 0;
    bool all_pairs = true;
    bool all_chains = true;
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        const volatile uint8_t *posted = posts[actor];
        if (posted[B]) { /* every operation posts it */
            bool together = posted[A] && !in_pieces[actor];
            posters++;
            only = actor;
            all_pairs &= together;
            all_chains &= together && posted[C];
        }
    }
    force_expect(posters == 0 || !all_pairs || woven_runs + chain_runs > 0);
    force_expect(posters == 0 || !all_chains || chain_runs > 0);
    if (posters == 1 && !in_pieces[only]) {
        check_exactly(posts[only]);
    }
}

static void check(void)
{
    for (unsigned half = 0; half < HALVES; half++) {
        unsigned all = 0;
        for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
            all += posts[actor][half];
            force_expect(!posts[actor][half] || served[half] > served_before[actor][half]);
        }
        force_expect(served[half] <= all);
        force_check_event(events[half]);
    }
    check_woven();
}

static const struct force_object object = {.prepare = prepare, .check = check};

/* An event posts everything at once, as seen from the kernel level, and so does one that carries
 * for an interrupt. */
const struct force_operation operation_weave = {
    .name = "weave", .object = &object, .in_thread = weave_in_thread, .in_event = weave_in_event};
const struct force_operation operation_chain = {
    .name = "chain", .object = &object, .in_event = chain_in_event};
const struct force_operation operation_half = {
    .name = "half",
    .object = &object,
    .in_event = half_in_event,
    .in_interrupt = FORCE_LEVELS_OF(half_at),
};
