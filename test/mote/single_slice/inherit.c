/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The two slices of a thread that inherits a priority. */
#include <lichen/event.h>
#include <lichen/time.h>

#include "slices.h"

/* ---------------------------------------------------------------- two slices of one thread */
/* At an inherited priority, a thread begins with a whole slice, whatever is left of the slice
 * before and of the last inherited one. */
MUTEX(shared);
SEMAPHORE(go_wants, 0);
SEMAPHORE(go_rival, 0);
SEMAPHORE(go_owner, 0);
volatile fine_t begun_at;
volatile bool rival_has_run, given_back;

THREAD(wants, MEDIUM_STACK, RIVAL)
{
    for (;;) {
        semaphore_wait(&go_wants);
        (void)mutex_lock(&shared);
        mutex_unlock(&shared);
    }
}

THREAD(rival, MEDIUM_STACK, RIVAL)
{
    for (;;) {
        semaphore_wait(&go_rival);
        if (!given_back) {
            slice_lasted(fine_us(begun_at, fine_now()));
        }
        rival_has_run = true;
        while (!given_back) {
        }
    }
}

/* Does not wait in between, which would end all its slices. */
static void inherit(void)
{
    rival_has_run = false;
    given_back = false;
    (void)mutex_lock(&shared);
    compute_for(SLICE_US / 2);
    semaphore_post(&go_wants);
    begun_at = fine_now();
    semaphore_post(&go_rival);
    while (!rival_has_run) {
    }
    compute_for(SLICE_US / 2);
    given_back = true;
    mutex_unlock(&shared);
}

void (*volatile own)(void);

THREAD(owner, MEDIUM_STACK, EQUAL)
{
    for (;;) {
        semaphore_wait(&go_owner);
        own();
        semaphore_post(&ended);
    }
}

void own_beside_watcher(void (*owns)(void))
{
    own = owns;
    seen = nobody_asks;
    computing = true;
    semaphore_post(&go_watcher);
    semaphore_post(&go_owner);
    semaphore_wait(&ended);
    computing = false;
    semaphore_wait(&ended);
}

static void inherit_repeatedly(void)
{
    while (slices < SLICES) {
        inherit();
    }
}

TEST(who_inherits_begins_a_whole_slice)
{
    slices = 0;
    own_beside_watcher(inherit_repeatedly);
    expect_slices();
}

/* Nor does the slice count in which it was when its own priority was raised. */
static void raise_oneself_and_inherit(void)
{
    while (slices < SLICES) {
        compute_for(SLICE_US / 2);
        thread_set_priority(thread_self(), EQUAL + 1);
        inherit();
        thread_set_priority(thread_self(), EQUAL);
    }
}

TEST(who_inherits_after_a_change_of_its_own_priority_begins_a_whole_slice)
{
    slices = 0;
    own_beside_watcher(raise_oneself_and_inherit);
    expect_slices();
}

/* Both are more urgent than the owner, whose slice they interrupt. */
EVENT(rivals_go)
{
    semaphore_post(&go_wants);
    semaphore_post(&go_rival);
}

static void inherit_where_a_rival_is_ready(void)
{
    rival_has_run = false;
    given_back = false;
    (void)mutex_lock(&shared);
    event_post(&rivals_go);
    expect(rival_has_run);
    given_back = true;
    mutex_unlock(&shared);
}

TEST(who_inherits_comes_behind_its_new_equals)
{
    own_beside_watcher(inherit_where_a_rival_is_ready);
}
