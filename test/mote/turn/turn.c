/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* One time slice at a time: it lasts 5 ms, whatever was before it and whatever is done in it.
 *
 * `watcher` is an equal of whoever is watched, and computes. It looks at the clock in each round: a
 * gap between two looks is a turn of the others. test/mote/slice says of many turns that they are
 * shared; here are cases in which one of them could be cut short or begin anew.
 */
#include <lichen/mutex.h>
#include <lichen/notify.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "test.h"

#define EQUAL    (PRIORITY_APP - 1)
#define RIVAL    (PRIORITY_APP + 1)
#define SLICE_US 5000u
#define SLACK_US 600u /* of looks at the clock, and of whoever is more urgent */
#define GAP_US   1000u

#define TURNS 8u

static volatile unsigned turns;          /* that were measured */
static volatile uint32_t turn_us[TURNS]; /* how long they lasted */
static volatile bool computing;

static void turn_lasted(uint64_t us)
{
    if (turns < TURNS) {
        turn_us[turns] = (uint32_t)us;
        turns++;
    }
}

static void compute_for(uint32_t us)
{
    uint64_t begun = time_now_us();
    while (time_now_us() - begun < us) {
    }
}

/* What is done in turns; what the watcher does with those of others. */
static void (*volatile act)(void);
static void (*volatile seen)(uint64_t us);

SEMAPHORE(go_watcher, 0);
SEMAPHORE(go_watched, 0);
SEMAPHORE(ended, 0);

THREAD(watcher, 320, EQUAL)
{
    for (;;) {
        semaphore_wait(&go_watcher);
        uint64_t last = time_now_us();
        while (computing) {
            uint64_t now = time_now_us();
            if (now - last > GAP_US) {
                seen(now - last);
            }
            last = now;
        }
        semaphore_post(&ended);
    }
}

THREAD(watched, 320, EQUAL)
{
    for (;;) {
        semaphore_wait(&go_watched);
        while (computing) {
            act();
        }
        semaphore_post(&ended);
    }
}

/* Never runs while the others compute. */
THREAD(less_urgent, 256, EQUAL - 1)
{
    for (;;) {
        sleep_ms(1000);
    }
}

static void nothing(void)
{
}

static void nobody_asks(uint64_t us)
{
    (void)us;
}

static void expect_slices(void)
{
    for (unsigned i = 0; i < turns; i++) {
        expect(turn_us[i] >= SLICE_US - SLACK_US);
        expect(turn_us[i] <= SLICE_US + SLACK_US);
    }
}

static void compute(void (*acts)(void), void (*sees)(uint64_t us))
{
    act = acts;
    seen = sees;
    turns = 0;
    computing = true;
    semaphore_post(&go_watcher);
    semaphore_post(&go_watched);
    sleep_ms(120);
    computing = false;
    semaphore_wait(&ended);
    semaphore_wait(&ended);
    expect_equal(turns, TURNS);
    expect_slices();
}

TEST(a_turn_of_one_that_computes_is_a_slice)
{
    compute(nothing, turn_lasted);
}

/* ---------------------------------------------------------------- what is done about others */
static void pause_and_resume(void)
{
    thread_pause(&less_urgent);
    thread_resume(&less_urgent);
}

static void change_priority(void)
{
    thread_set_priority(&less_urgent, EQUAL - 2);
    thread_set_priority(&less_urgent, EQUAL - 1);
}

static void keep_priority(void)
{
    thread_set_priority(&less_urgent, EQUAL - 1);
}

TEST(what_is_done_about_others_is_done_in_ones_own_turn)
{
    compute(pause_and_resume, turn_lasted);
    compute(change_priority, turn_lasted);
    compute(keep_priority, turn_lasted);
}

/* ---------------------------------------------------------------- a more urgent thread */
NOTIFY(go_urgent);
static void (*volatile urge)(void);

THREAD(urgent, 320, PRIORITY_HIGH)
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

TEST(who_is_given_the_priority_that_it_has_goes_on_with_its_turn)
{
    urge = set_what_they_have;
    compute(urge_at_times, turn_lasted);
}

/* Of the turn of the one who yields a part is left, and not for the next one. */
static void yield_when_half_is_left(void)
{
    compute_for(SLICE_US / 2);
    notify_post(&go_urgent);
    uint64_t begun = time_now_us();
    thread_yield();
    turn_lasted(time_now_us() - begun);
}

TEST(the_turn_after_one_that_yields_is_a_slice)
{
    urge = nothing;
    compute(yield_when_half_is_left, nobody_asks);
}

/* ---------------------------------------------------------------- two turns of one thread */
/* At the priority that it inherits a thread begins with a turn of its own, whatever is left of the
 * one before, and of the last one that it inherited. */
MUTEX(shared);
SEMAPHORE(go_wants, 0);
SEMAPHORE(go_rival, 0);
SEMAPHORE(go_owner, 0);
static volatile uint64_t begun_us;
static volatile bool rival_has_run, given_back;

THREAD(wants, 320, RIVAL)
{
    for (;;) {
        semaphore_wait(&go_wants);
        (void)mutex_lock(&shared);
        mutex_unlock(&shared);
    }
}

THREAD(rival, 320, RIVAL)
{
    for (;;) {
        semaphore_wait(&go_rival);
        turn_lasted(time_now_us() - begun_us);
        rival_has_run = true;
        while (!given_back) {
        }
    }
}

/* Does not wait in between: that would end all its turns. */
static void inherit(void)
{
    rival_has_run = false;
    given_back = false;
    (void)mutex_lock(&shared);
    compute_for(SLICE_US / 2);
    semaphore_post(&go_wants);
    begun_us = time_now_us();
    semaphore_post(&go_rival);
    while (!rival_has_run) {
    }
    compute_for(SLICE_US / 2);
    given_back = true;
    mutex_unlock(&shared);
}

THREAD(owner, 320, EQUAL)
{
    semaphore_wait(&go_owner);
    while (turns < TURNS) {
        inherit();
    }
    semaphore_post(&ended);
}

TEST(who_inherits_begins_a_whole_turn)
{
    turns = 0;
    seen = nobody_asks;
    computing = true;
    semaphore_post(&go_watcher);
    semaphore_post(&go_owner);
    semaphore_wait(&ended);
    computing = false;
    semaphore_wait(&ended);
    expect_slices();
}
