/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* INIT: runs before every thread, and may call what events may. */
#include <lichen/event.h>
#include <lichen/init.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>
#include <lichen/timer.h>

#include "test.h"

#define DELAY_US (20 * TIME_US_PER_MS)

SEMAPHORE(given, 0);
SEMAPHORE(fired, 0);

static unsigned inits;
static unsigned inits_seen_by_event;
static unsigned inits_seen_by_thread;
static int arm_result = -1;
static uint64_t armed_us;

EVENT(posted_by_init)
{
    inits_seen_by_event = inits;
}

EVENT(timer_fired)
{
    semaphore_post(&fired);
}
TIMER(timer, timer_fired);

static void posts(void)
{
    event_post(&posted_by_init);
    semaphore_post(&given);
    inits++;
}
INIT(posts);

static void arms(void)
{
    armed_us = time_now_us();
    arm_result = timer_arm(&timer, armed_us + DELAY_US);
    inits++;
}
INIT(arms);

/* The phases come in their order, although names and places say the reverse. */
static unsigned phases;

static void begins(void)
{
    phases = 10 * phases + 4;
}
INIT_IN(PROGRAM, begins);

static void serves(void)
{
    phases = 10 * phases + 3;
}
INIT_IN(SERVICES, serves);

static void starts_driver(void)
{
    phases = 10 * phases + 2;
}
INIT_IN(DRIVERS, starts_driver);

static void takes_chip(void)
{
    phases = 10 * phases + 1;
}
INIT_IN(CHIP, takes_chip);

TEST(phases_come_in_their_order)
{
    expect_equal(phases, 1234);
}

/* More urgent than the thread of the tests, so it runs first. */
THREAD(early, SMALL_STACK, PRIORITY_MAX)
{
    inits_seen_by_thread = inits;
    for (;;) {
        sleep_ms(1000);
    }
}

TEST(inits_run_before_every_thread)
{
    expect_equal(inits_seen_by_thread, 2u);
}

TEST(what_an_init_posts_runs_when_all_have_run)
{
    expect_equal(inits_seen_by_event, 2u);
}

TEST(an_init_gives_a_semaphore)
{
    expect_equal(semaphore_try(&given), 0);
}

TEST(a_timer_armed_by_an_init_fires)
{
    expect_equal(arm_result, 0);
    semaphore_wait(&fired);
    expect(time_now_us() >= armed_us + DELAY_US);
}
