/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Two threads of the stretch's priority that compute beside it, for longer than a time slice.
 *
 * To compute is to read the tick again and again: each reading stalls the processor until the tick
 * has crossed clock domains (SAM R21 data sheet, "Synchronization"). So a slice has few
 * instructions for its length.
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

#include "chip/samr21/reg/rtc.h"
#include "slices.h"

#define EQUALS 2u

/* Ticks. */
#define SLICE       164u /* 5 ms */
#define SLACK       20u  /* two readings, switches and interrupts */
#define GAP         50u  /* between two readings of one thread; beyond it, others ran */
#define LONG        (3 * SLICE / 2)
#define SHORT       (3 * SLICE / 8)
#define LONG_URGENT (SLICE + SLACK) /* of a carrier; longer than the rest of any slice */

#define SYST_CSR        (*(volatile uint32_t *)0xe000e010u)
#define SYST_CSR_ENABLE 1u

NOTIFY(go_0);
NOTIFY(go_1);
static struct notify *const go[EQUALS] = {&go_0, &go_1};

/* What a computing thread has seen. */
struct computing {
    uint32_t slice; /* computed in the current one */
    uint32_t last;
    uint32_t shortest; /* of the slices that ended in a switch to an equal */
    uint32_t longest;
    uint32_t slices;
    uint32_t ended;
};
static struct computing stretch;
static struct computing equals[EQUALS];
static struct computing carried[FORCE_ACTORS];
static volatile uint32_t equals_length;         /* ticks for which each of them computes */
static const struct computing *volatile latest; /* which of the stretch and its equals computed last
                                                 */

/* An equal had the processor up to now. */
static void next_slice(struct computing *one)
{
    one->shortest = one->slice < one->shortest ? one->slice : one->shortest;
    one->slices++;
    one->slice = 0;
}

static void compute(struct computing *one, uint32_t length)
{
    uint32_t computed = 0;
    one->last = RTC->COUNT;
    latest = one;
    while (computed < length) {
        uint32_t now = RTC->COUNT;
        if (latest != one) {
            next_slice(one);
            latest = one;
        } else if (now - one->last <= GAP) {
            computed += now - one->last;
            one->slice += now - one->last;
        }
        one->last = now;
        one->longest = one->slice > one->longest ? one->slice : one->longest;
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
    const struct computing nothing = {.shortest = UINT32_MAX};
    stretch = nothing;
    for (unsigned equal = 0; equal < EQUALS; equal++) {
        equals[equal] = nothing;
    }
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        carried[actor] = nothing;
    }
}

/* Shares the processor once before the first run; the timer must stop when idling begins in the
 * middle of a slice. */
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
    uint32_t begun = RTC->COUNT;
    while (RTC->COUNT - begun < SLICE + SLACK) {
    }
    force_expect((SYST_CSR & SYST_CSR_ENABLE) == 0);
    force_expect(go_0.waiter == &equal_0 && go_1.waiter == &equal_1);
}

static const struct force_object object = {.prepare = prepare, .check = check};

const struct force_operation operation_compute = {
    .name = "compute", .object = &object, .in_thread = do_compute};
