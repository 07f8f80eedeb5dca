/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A thread is interrupted by a more urgent one anywhere in locking, unlocking and notifying. The
 * program has no semaphore and no queue: the code that restarts sequences must be linked with each
 * kind of sequence.
 */
#include <lichen/mutex.h>
#include <lichen/notify.h>
#include <lichen/rt.h>
#include <lichen/thread.h>

#include "test.h"

#define ROUNDS 20000u

MUTEX(lock);
NOTIFY(tick);
NOTIFY(flag);

static const struct thread *volatile inside;
static volatile unsigned violations, woken;

RT_TASK(ticker, RT_TIMER_A, .priority = 0, .period_us = BRISK_PERIOD_US, .deadline_us = 100,
        .wcet_cycles = 100)
{
    rt_acknowledge();
    rt_notify(&tick);
}

static void enter(void)
{
    expect_equal(mutex_lock(&lock), 0);
    violations += inside != 0;
    inside = thread_self();
}

static void leave(void)
{
    violations += inside != thread_self();
    inside = 0;
    mutex_unlock(&lock);
}

static void wait_a_little(unsigned round)
{
    for (volatile unsigned left = round % 37; left > 0; left--) {
    }
}

THREAD_STOPPED(locks, SMALL_STACK, PRIORITY_HIGH)
{
    for (;;) {
        notify_wait(&tick);
        enter();
        notify_wait(&tick);
        leave();
    }
}

TEST(two_threads_exclude_each_other)
{
    expect_equal(thread_start(&locks, 0), 0);
    rt_period_start(ticker);
    for (unsigned round = 0; round < ROUNDS; round++) {
        wait_a_little(round);
        enter();
        leave();
    }
    rt_period_stop(ticker);
    thread_destroy(&locks);
    expect_equal(violations, 0);
}

/* Waits twice: for the notification that comes while it waits, and for one that came before. */
THREAD_STOPPED(waits, SMALL_STACK, PRIORITY_HIGH)
{
    for (;;) {
        notify_wait(&tick);
        notify_wait(&flag);
        notify_wait(&flag);
        woken++;
    }
}

TEST(no_thread_that_waits_is_lost)
{
    expect_equal(thread_start(&waits, 0), 0);
    rt_period_start(ticker);
    for (unsigned round = 0; round < ROUNDS; round++) {
        wait_a_little(round);
        notify_post(&flag);
    }
    unsigned before = woken;
    for (unsigned round = 0; round < 1000; round++) {
        wait_a_little(round);
        notify_post(&flag);
    }
    rt_period_stop(ticker);
    thread_destroy(&waits);
    expect(before > 100);
    expect(woken > before);
}
