/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What a more urgent thread does to the two. */
#include <lichen/time.h>

#include "slices.h"

/* ---------------------------------------------------------------- a more urgent thread */
NOTIFY(go_urgent);
void (*volatile urge)(void);

THREAD(urgent, MEDIUM_STACK, PRIORITY_HIGH)
{
    for (;;) {
        notify_wait(&go_urgent);
        urge();
    }
}

static void set_what_they_have(void)
{
    thread_set_priority(&watched, EQUAL);
    thread_set_priority(&watcher, EQUAL);
}

static void urge_at_times(void)
{
    compute_for(SLICE_US / 2);
    notify_post(&go_urgent);
}

TEST(who_is_given_the_priority_that_it_has_goes_on_with_its_slice)
{
    urge = set_what_they_have;
    compute(urge_at_times, slice_lasted);
}

static void set_another_and_back(void)
{
    thread_set_priority(&watched, EQUAL - 1);
    thread_set_priority(&watched, EQUAL);
}

static void give_way_when_half_is_left(void)
{
    compute_for(SLICE_US / 2);
    fine_t begun = fine_now();
    notify_post(&go_urgent);
    slice_lasted(fine_us(begun, fine_now()));
}

TEST(who_is_given_another_priority_comes_behind_its_equals)
{
    urge = set_another_and_back;
    compute(give_way_when_half_is_left, nobody_asks);
}

/* A part of the yielding thread's slice is left, which the next slice must not get. */
static void yield_when_half_is_left(void)
{
    compute_for(SLICE_US / 2);
    notify_post(&go_urgent);
    fine_t begun = fine_now();
    thread_yield();
    slice_lasted(fine_us(begun, fine_now()));
}

TEST(the_slice_after_one_that_yields_is_whole)
{
    urge = nothing;
    compute(yield_when_half_is_left, nobody_asks);
}
