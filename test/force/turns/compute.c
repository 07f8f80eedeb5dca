/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Two threads as urgent as the stretch that compute with it, for longer than a turn.
 *
 * To compute is to read the tick again and again: each reading stalls the processor until the tick
 * has crossed clock domains (SAM R21 data sheet, "Synchronization"). So turns last, and have few
 * instructions.
 *
 * Laws: whoever computes beside equals is replaced by one of them after 5 ms that it has computed,
 * no sooner and no later, from the moment on at which the first of them was ready, however long
 * more urgent threads compute meanwhile; all have their turns; when they are through, the slice
 * timer stands.
 */
#include <lichen/event.h>
#include <lichen/notify.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "chip/samr21/reg/rtc.h"
#include "turns.h"

#define EQUALS 2u

/* Ticks. */
#define SLICE       164u /* 5 ms */
#define SLACK       20u  /* two readings, switches and what interrupts do */
#define GAP         50u  /* between two readings of one thread: others had the processor */
#define LONG        (3 * SLICE / 2)
#define SHORT       (3 * SLICE / 8)
#define LONG_URGENT (SLICE + SLACK) /* of a carrier: longer than any rest of a turn */

#define SYST_CSR        (*(volatile uint32_t *)0xe000e010u)
#define SYST_CSR_ENABLE 1u

NOTIFY(go_0);
NOTIFY(go_1);
static struct notify *const go[EQUALS] = {&go_0, &go_1};

/* What one that computes has seen. */
struct computing {
    uint32_t turn; /* computed in the present turn */
    uint32_t last;
    uint32_t shortest; /* of the turns that an equal has ended */
    uint32_t longest;
    uint32_t turns;
    uint32_t ended;
};
static struct computing stretch;
static struct computing equals[EQUALS];
static struct computing carried[FORCE_ACTORS];
static volatile uint32_t equals_length;         /* ticks for which each of them computes */
static const struct computing *volatile latest; /* of the stretch and its equals, who computed */

/* An equal had the processor up to now. */
static void next_turn(struct computing *one)
{
    one->shortest = one->turn < one->shortest ? one->turn : one->shortest;
    one->turns++;
    one->turn = 0;
}

static void compute(struct computing *one, uint32_t length)
{
    uint32_t computed = 0;
    one->last = RTC->COUNT;
    latest = one;
    while (computed < length) {
        uint32_t now = RTC->COUNT;
        if (latest != one) {
            next_turn(one);
            latest = one;
        } else if (now - one->last <= GAP) {
            computed += now - one->last;
            one->turn += now - one->last;
        }
        one->last = now;
        one->longest = one->turn > one->longest ? one->turn : one->longest;
    }
    one->ended++;
}

/* More urgent than those above. */
static void hold(struct computing *one, uint32_t length)
{
    uint32_t begun = RTC->COUNT;
    while (RTC->COUNT - begun < length) {
    }
    one->ended++;
}

THREAD(equal_0, 256, PRIORITY_APP)
{
    for (;;) {
        notify_wait(&go_0);
        compute(&equals[0], equals_length);
    }
}
THREAD(equal_1, 256, PRIORITY_APP)
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
    const struct computing nothing = {.shortest = UINT32_MAX};
    stretch = nothing;
    for (unsigned equal = 0; equal < EQUALS; equal++) {
        equals[equal] = nothing;
    }
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        carried[actor] = nothing;
    }
}

/* Turns once before the first run, and no more when idling begins amidst a slice. */
void force_start(void)
{
    equals_length = SHORT;
    event_post(&both_go);
    sleep_us(1000);
    force_expect(equals[0].ended == 1 && equals[1].ended == 1);
    force_expect((SYST_CSR & SYST_CSR_ENABLE) == 0);
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

static void check_turns(const struct computing *one)
{
    force_expect(one->ended == 1);
    force_expect(one->turns >= 1);
    force_expect(one->shortest >= SLICE - SLACK);
    force_expect(one->longest <= SLICE + SLACK);
}

static void check(void)
{
    if (force_acts(FORCE_STRETCH, &operation_compute)) {
        check_turns(&stretch);
        for (unsigned equal = 0; equal < EQUALS; equal++) {
            check_turns(&equals[equal]);
        }
    }
    uint32_t begun = RTC->COUNT;
    while (RTC->COUNT - begun < SLICE + SLACK) {
    }
    force_expect((SYST_CSR & SYST_CSR_ENABLE) == 0);
    force_expect(go_0.waiter == &equal_0 && go_1.waiter == &equal_1);
}

static const struct force_object object = {.prepare = prepare, .check = check};

const struct force_operation operation_compute = {
    .name = "compute", .object = &object, .in_thread = do_compute};
