/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What a thread does to its equals, and to less urgent threads, in its slice. */
#include <lichen/time.h>

#include "slices.h"

THREAD(less_urgent, SMALL_STACK, EQUAL - 1)
{
    for (;;) {
        sleep_ms(1000);
    }
}

/* The same, but always ready. If it becomes their equal, it yields its slices. */
SEMAPHORE(go_ready, 0);
static void (*volatile act_ready)(void) = thread_yield;

THREAD(always_ready, SMALL_STACK, EQUAL - 1)
{
    for (;;) {
        semaphore_wait(&go_ready);
        while (computing) {
            act_ready();
        }
        semaphore_post(&ended);
    }
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

TEST(what_is_done_about_others_is_done_in_ones_own_slice)
{
    compute(pause_and_resume, slice_lasted);
    compute(change_priority, slice_lasted);
    compute(keep_priority, slice_lasted);
}

/* All of it is charged to the slice, however often it is done. */
static void compute_beside_ready(void (*acts)(void))
{
    computing = true;
    semaphore_post(&go_ready);
    compute(acts, slice_lasted);
    semaphore_wait(&ended);
}

static void pause_and_resume_ready(void)
{
    thread_pause(&always_ready);
    thread_resume(&always_ready);
}

static void change_priority_of_ready(void)
{
    thread_set_priority(&always_ready, EQUAL - 2);
    thread_set_priority(&always_ready, EQUAL - 1);
}

static void make_ready_an_equal(void)
{
    thread_set_priority(&always_ready, EQUAL);
    thread_set_priority(&always_ready, EQUAL - 1);
}

TEST(what_is_done_about_others_that_are_ready_is_so_too)
{
    compute_beside_ready(pause_and_resume_ready);
    compute_beside_ready(change_priority_of_ready);
    compute_beside_ready(make_ready_an_equal);
}

static void lower_oneself(void)
{
    thread_set_priority(&always_ready, EQUAL - 1);
}

static void raise_ready_above_oneself(void)
{
    compute_for(SLICE_US / 2);
    thread_set_priority(&always_ready, EQUAL + 1);
    (void)compute_to_the_end_of_the_slice();
}

TEST(who_is_raised_above_the_running_one_interrupts_its_slice)
{
    act_ready = lower_oneself;
    compute_beside_ready(raise_ready_above_oneself);
    act_ready = thread_yield;
}

TEST(an_equal_that_comes_and_goes_does_not_make_a_slice_longer)
{
    thread_set_priority(&always_ready, EQUAL);
    compute_beside_ready(pause_and_resume_ready);
    thread_set_priority(&always_ready, EQUAL - 1);
}

/* ---------------------------------------------------------------- without equals meanwhile */
/* A slice counts shared time only: a thread without equals has the processor to itself, and that
 * time does not count. */
#define ALONE_US (2 * SLICE_US)
#define LOOKS_US 500u /* two interrupted readings, and what led to them */

static void pause_watcher(void)
{
    thread_pause(&watcher);
}
static void resume_watcher(void)
{
    thread_resume(&watcher);
}
static void lower_watcher(void)
{
    thread_set_priority(&watcher, EQUAL - 1);
}
static void raise_watcher(void)
{
    thread_set_priority(&watcher, EQUAL);
}

static void (*volatile part)(void);
static void (*volatile rejoin)(void);

static void be_alone_when_half_is_left(void)
{
    fine_t begun = fine_now();
    compute_for(SLICE_US / 2);
    part();
    uint32_t computed = fine_us(begun, fine_now());
    compute_for(ALONE_US);
    rejoin();
    slice_lasted(computed + LOOKS_US + compute_to_the_end_of_the_slice());
}

static void compute_alone_meanwhile(void (*parts)(void), void (*rejoins)(void))
{
    part = parts;
    rejoin = rejoins;
    compute_ms(200, be_alone_when_half_is_left, nobody_asks);
}

TEST(time_without_equals_is_no_part_of_a_slice)
{
    compute_alone_meanwhile(pause_watcher, resume_watcher);
    compute_alone_meanwhile(lower_watcher, raise_watcher);
}
