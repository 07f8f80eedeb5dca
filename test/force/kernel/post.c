/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Posts: of one event by all actors, and of two events by each. */
#include <lichen/event.h>

#include "operations.h"

/* ---------------------------------------------------------------- one event
 * Laws: a post is followed by a run; there are no more runs than posts. */
static volatile uint8_t posts[FORCE_ACTORS];
static volatile uint8_t runs_before[FORCE_ACTORS]; /* runs when the actor posted */
static volatile uint8_t runs;

EVENT(posted)
{
    runs++;
}

static inline __attribute__((always_inline)) void note_post(unsigned actor)
{
    runs_before[actor] = runs;
    posts[actor]++;
}

static void post_in_thread(unsigned actor)
{
    note_post(actor);
    event_post(&posted);
    force_expect(runs > runs_before[actor]); /* events run before any thread continues */
}

static void post_in_event(unsigned actor)
{
    note_post(actor);
    event_post(&posted);
    force_queued(&posted, ARCH_LEVEL_KERNEL);
}

static inline __attribute__((always_inline)) void post_at(unsigned actor, unsigned level)
{
    note_post(actor);
    event_post_from(&posted, level);
    force_queued(&posted, level);
}
FORCE_AT_EACH_LEVEL(post_at)

static void post_prepare(void)
{
    runs = 0;
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        posts[actor] = 0;
    }
}

static void post_check(void)
{
    unsigned all = 0;
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        all += posts[actor];
        force_expect(posts[actor] == 0 || runs > runs_before[actor]);
    }
    force_expect(runs <= all);
    force_check_event(&posted);
}

static const struct force_object post_object = {.prepare = post_prepare, .check = post_check};

const struct force_operation operation_post = {
    .name = "post",
    .object = &post_object,
    .in_thread = post_in_thread,
    .in_event = post_in_event,
    .in_interrupt = FORCE_LEVELS_OF(post_at),
};

/* ---------------------------------------------------------------- two events of each actor
 * Laws: each runs once; the first before the second; and those of an interrupt that came while an
 * event was running come next, unless a more urgent level has posted. */
enum { FIRST = 0, SECOND = 1, NOBODY = 0xff };

struct two {
    struct event *event[2];
    volatile uint8_t posted;
    volatile uint8_t ran[2];   /* how often */
    volatile uint8_t during;   /* events that had begun when it was posted while one was running */
    volatile uint8_t begun[2]; /* events that had begun before this one */
};

static volatile uint8_t begun;            /* events that have begun */
static volatile uint8_t running;          /* one is running */
static uint8_t who[2 * FORCE_ACTORS + 1]; /* by order of beginning: the actor */

static struct two two_of[FORCE_ACTORS];

static void two_run(unsigned actor, unsigned which)
{
    running = 1;
    struct two *two = &two_of[actor];
    two->ran[which]++;
    two->begun[which] = begun;
    if (begun < sizeof(who)) {
        who[begun] = (uint8_t)actor;
    }
    begun++;
    running = 0;
}

#define TWO_EVENTS(actor, name)                                                                    \
    EVENT(first_of_##actor)                                                                        \
    {                                                                                              \
        two_run(FORCE_##actor, FIRST);                                                             \
    }                                                                                              \
    EVENT(second_of_##actor)                                                                       \
    {                                                                                              \
        two_run(FORCE_##actor, SECOND);                                                            \
    }
FORCE_EACH_ACTOR(TWO_EVENTS, )

#define TWO_OF(actor, name) {.event = {&first_of_##actor, &second_of_##actor}},

static struct two two_of[FORCE_ACTORS] = {FORCE_EACH_ACTOR(TWO_OF, )};

static void two_post(unsigned actor)
{
    two_of[actor].posted = 1;
    event_post(two_of[actor].event[FIRST]);
    event_post(two_of[actor].event[SECOND]);
}

static inline __attribute__((always_inline)) void two_at(unsigned actor, unsigned level)
{
    struct two *two = &two_of[actor];
    two->posted = 1;
    if (running) {
        two->during = begun;
    }
    event_post_from(two->event[FIRST], level);
    event_post_from(two->event[SECOND], level);
    force_queued(two->event[FIRST], level);
    force_queued(two->event[SECOND], level);
}
FORCE_AT_EACH_LEVEL(two_at)

static void two_prepare(void)
{
    begun = 0;
    running = 0;
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        struct two *two = &two_of[actor];
        two->posted = 0;
        two->ran[FIRST] = 0;
        two->ran[SECOND] = 0;
        two->during = NOBODY;
    }
}

/* The running event may have counted itself when the interrupt came, or not yet. */
static void two_check_turn(unsigned actor)
{
    const struct two *two = &two_of[actor];
    for (unsigned turn = two->during + 1u; turn < two->begun[FIRST]; turn++) {
        force_expect(who[turn] != FORCE_STRETCH && who[turn] < actor);
    }
}

static void two_check(void)
{
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        const struct two *two = &two_of[actor];
        force_expect(two->ran[FIRST] == two->posted);
        force_expect(two->ran[SECOND] == two->posted);
        force_check_event(two->event[FIRST]);
        force_check_event(two->event[SECOND]);
        if (two->posted) {
            force_expect(two->begun[FIRST] < two->begun[SECOND]);
        }
        if (two->posted && two->during != NOBODY) {
            two_check_turn(actor);
        }
    }
}

static const struct force_object two_object = {.prepare = two_prepare, .check = two_check};

const struct force_operation operation_post_two = {
    .name = "post_two",
    .object = &two_object,
    .in_thread = two_post,
    .in_event = two_post,
    .in_interrupt = FORCE_LEVELS_OF(two_at),
};
