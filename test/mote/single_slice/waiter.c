/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Changes of the priority that is inherited: that of the thread that waits for the mutex. */
#include <lichen/time.h>

#include "slices.h"

/* The thread that waits for the mutex is less urgent than its owner at first. */
static void let_one_wait_and_compute(void)
{
    (void)mutex_lock(&shared);
    thread_set_priority(&wants, EQUAL - 1);
    semaphore_post(&go_wants);
    sleep_ms(1);
    computing = true;
    semaphore_post(&go_watcher);
    compute_for(SLICE_US / 4);
}

static void own_and_start_watcher(void (*owns)(void))
{
    own = owns;
    seen = nobody_asks;
    semaphore_post(&go_owner);
    semaphore_wait(&ended);
    semaphore_wait(&ended);
    thread_set_priority(&wants, RIVAL);
}

/* Then it becomes more urgent than the owner, which is running, and which continues its slice after
 * it has given the mutex back. */
static void inherit_what_is_set(void)
{
    let_one_wait_and_compute();
    fine_t begun = fine_now();
    thread_set_priority(&wants, RIVAL);
    mutex_unlock(&shared);
    expect(fine_us(begun, fine_now()) < GAP_US);
    computing = false;
}

TEST(who_inherits_while_it_runs_goes_on_with_its_slice)
{
    own_and_start_watcher(inherit_what_is_set);
}

/* The owner inherits less than before: it goes behind its new equals, whatever is left of its own
 * slice. */
static void inherit_less(void)
{
    let_one_wait_and_compute();
    thread_set_priority(&wants, RIVAL + 1);
    rival_has_run = false;
    given_back = true;
    semaphore_post(&go_rival);
    expect(!rival_has_run);
    thread_set_priority(&wants, RIVAL);
    expect(rival_has_run);
    mutex_unlock(&shared);
    computing = false;
}

TEST(who_inherits_less_than_before_comes_behind_its_new_equals)
{
    own_and_start_watcher(inherit_less);
}

/* The owner stops inheriting while a more urgent thread runs. */
static void take_from_owner(void)
{
    thread_set_priority(&wants, EQUAL - 1);
}

static void lose_what_was_inherited(void)
{
    let_one_wait_and_compute();
    thread_set_priority(&wants, RIVAL);
    fine_t begun = fine_now();
    notify_post(&go_urgent);
    expect(fine_us(begun, fine_now()) < GAP_US);
    mutex_unlock(&shared);
    computing = false;
}

TEST(who_inherits_no_more_while_another_one_runs_goes_on_with_its_slice)
{
    urge = take_from_owner;
    own_and_start_watcher(lose_what_was_inherited);
}

/* The same with a part of the inherited slice left, which is then lost. */
static void inherit_once_more(void)
{
    let_one_wait_and_compute();
    thread_set_priority(&wants, RIVAL);
    given_back = true;
    semaphore_post(&go_rival);
    compute_for(SLICE_US / 2);
    notify_post(&go_urgent);
    given_back = false;
    rival_has_run = false;
    thread_set_priority(&wants, RIVAL);
    begun_at = fine_now();
    semaphore_post(&go_rival);
    while (!rival_has_run) {
    }
    given_back = true;
    mutex_unlock(&shared);
    computing = false;
}

TEST(who_has_inherited_no_more_begins_a_whole_slice_later)
{
    urge = take_from_owner;
    slices = 0;
    own_and_start_watcher(inherit_once_more);
    expect_equal(slices, 1);
    expect_slices();
}
