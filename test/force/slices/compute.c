/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Two threads of the stretch's priority that compute beside it, for longer than a time slice.
 *
 * To compute is to read a clock again and again, which takes long (computing.h).
 *
 * Laws: a thread that computes beside equals is replaced by one of them after it has computed for 5
 * ms, no sooner and no later, counted from the moment at which the first of them became ready,
 * however long more urgent threads compute meanwhile; all get their slices; when they are through,
 * the slice timer is stopped.
 */
#include <lichen/event.h>
#include <lichen/notify.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "computing.h"
#include "slices.h"

#define EQUALS 2u

/* Ticks. */
#define LONG        (3 * SLICE / 2)
#define SHORT       (3 * SLICE / 8)
#define LONG_URGENT (SLICE + SLACK) /* of a carrier; longer than the rest of any slice */

NOTIFY(go_0);
NOTIFY(go_1);
static struct notify *const go[EQUALS] = {&go_0, &go_1};

/* What a computing thread has seen. */
struct computing {
    computing_t slice; /* computed in the current one */
    computing_t last;
    computing_t shortest; /* of the slices that ended in a switch to an equal */
    computing_t longest;
    uint8_t slices;
    uint8_t ended;
    uint8_t number; /* of the thread */
};
static struct computing stretch;
static struct computing equals[EQUALS];
static struct computing carried[FORCE_ACTORS];
static volatile computing_t equals_length; /* ticks for which each of them computes */
static volatile uint8_t latest;            /* which of the stretch and its equals computed last */

/* An equal had the processor up to now. */
static void next_slice(struct computing *one)
{
    one->shortest = one->slice < one->shortest ? one->slice : one->shortest;
    one->slices++;
    one->slice = 0;
}

static void compute(struct computing *one, computing_t length)
{
    computing_t computed = 0;
    one->last = computing_now();
    latest = one->number;
    while (computed < length) {
        computing_t now = computing_now();
        computing_t passed = (computing_t)(now - one->last);
        if (latest != one->number) {
            next_slice(one);
            latest = one->number;
        } else if (passed <= GAP) {
            computed += passed;
            one->slice += passed;
        }
        one->last = now;
        one->longest = one->slice > one->longest ? one->slice : one->longest;
    }
    one->ended++;
}

/* More urgent than those above. */
static void hold(struct computing *one, computing_t length)
{
    computing_t begun = computing_now();
    while ((computing_t)(computing_now() - begun) < length) {
    }
    one->ended++;
}

THREAD(equal_0, FORCE_SMALL_STACK, PRIORITY_APP)
{
    for (;;) {
        notify_wait(&go_0);
        compute(&equals[0], equals_length);
    }
}
THREAD(equal_1, FORCE_SMALL_STACK, PRIORITY_APP)
{
    for (;;) {
        notify_wait(&go_1);
        compute(&equals[1], equals_length);
    }
}

EVENT(both_go)
{
    notify_post(&go_0);
    notify_post(&go_1);
}

static void prepare(void)
{
    equals_length = LONG;
    const struct computing nothing = {.shortest = (computing_t)-1};
    stretch = nothing;
    for (unsigned equal = 0; equal < EQUALS; equal++) {
        equals[equal] = nothing;
        equals[equal].number = (uint8_t)(1 + equal);
    }
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        carried[actor] = nothing;
    }
}

/* Shares the processor once before the first run; the timer must stop when idling begins in the
 * middle of a slice. */
void force_start(void)
{
    computing_start();
    equals_length = SHORT;
    event_post(&both_go);
    sleep_us(1000);
    force_expect(equals[0].ended == 1 && equals[1].ended == 1);
    force_expect(!slice_timer_runs());
}

static void do_compute(unsigned actor)
{
    if (actor != FORCE_STRETCH) {
        hold(&carried[actor], LONG_URGENT);
        return;
    }
    for (unsigned equal = 0; equal < EQUALS; equal++) {
        notify_post(go[equal]);
    }
    compute(&stretch, LONG);
}

static void check_slices(const struct computing *one)
{
    force_expect(one->ended == 1);
    force_expect(one->slices >= 1);
    force_expect(one->shortest >= SLICE - SLACK);
    force_expect(one->longest <= SLICE + SLACK);
}

static void check(void)
{
    if (force_acts(FORCE_STRETCH, &operation_compute)) {
        check_slices(&stretch);
        for (unsigned equal = 0; equal < EQUALS; equal++) {
            check_slices(&equals[equal]);
        }
    }
    computing_t begun = computing_now();
    while ((computing_t)(computing_now() - begun) < SLICE + SLACK) {
    }
    force_expect(!slice_timer_runs());
    force_expect(go_0.waiter == &equal_0 && go_1.waiter == &equal_1);
}

static const struct force_object object = {.prepare = prepare, .check = check};

const struct force_operation operation_compute = {
    .name = "compute", .object = &object, .in_thread = do_compute};
