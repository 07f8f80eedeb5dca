/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Condition variables. The tests' own thread has PRIORITY_APP. */
#include <lichen/condition.h>
#include <lichen/event.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "test.h"

MUTEX(lock);
CONDITION(changed);
static volatile unsigned value, seen;
static volatile int result;

#define WAITER(name, priority)                                                                     \
    THREAD_STOPPED(name, SMALL_STACK, priority)                                                    \
    {                                                                                              \
        mutex_lock(&lock);                                                                         \
        result = condition_wait(&changed, &lock);                                                  \
        seen = seen * 10 + value;                                                                  \
        mutex_unlock(&lock);                                                                       \
    }

WAITER(first, PRIORITY_APP + 1)
WAITER(second, PRIORITY_APP + 2)
WAITER(third, PRIORITY_APP - 1)

static void start(struct thread *thread)
{
    int error = thread_start(thread, 0);
    expect_equal(error, 0);
    sleep_ms(1);
    expect_equal(thread->state, THREAD_WAITING);
}

TEST(a_signal_wakes_the_most_urgent_one)
{
    seen = 0;
    start(&first);
    start(&second);
    value = 1;
    condition_signal(&changed);
    expect_equal(second.state, THREAD_STOPPED);
    value = 2;
    condition_signal(&changed);
    expect_equal(first.state, THREAD_STOPPED);
    expect_equal(seen, 12);
    expect_equal(result, 0);
    condition_signal(&changed); /* nobody waits: lost */
}

TEST(a_broadcast_wakes_all_when_the_mutex_is_free)
{
    seen = 0;
    start(&first);
    start(&second);
    start(&third);
    mutex_lock(&lock);
    value = 3;
    condition_broadcast(&changed);
    expect_equal(seen, 0);
    mutex_unlock(&lock);
    thread_join(&third);
    expect_equal(seen, 333);
}

EVENT(signals)
{
    condition_signal(&changed);
}

TEST(an_event_signals)
{
    seen = 0;
    start(&first);
    event_post(&signals);
    expect_equal(seen, value);
}

TEST(a_wait_ends_at_its_deadline_with_the_mutex)
{
    mutex_lock(&lock);
    uint64_t start_us = time_now_us();
    int error = condition_wait_until(&changed, &lock, start_us + 5 * TIME_US_PER_MS);
    expect_equal(error, ERR_TIMEOUT);
    expect(time_now_us() - start_us >= 5 * TIME_US_PER_MS);
    expect_equal(mutex_try(&lock), ERR_BUSY);
    error = condition_wait_until(&changed, &lock, 0);
    expect_equal(error, ERR_TIMEOUT);
    mutex_unlock(&lock);
    expect_equal(mutex_try(&lock), 0);
    mutex_unlock(&lock);
}

THREAD_STOPPED(holds, SMALL_STACK, PRIORITY_APP + 3)
{
    mutex_lock(&lock);
    sleep_ms(10);
}

TEST(locking_again_may_take_longer_than_the_deadline_and_tells_of_an_owner_that_ended)
{
    mutex_lock(&lock);
    uint64_t start_us = time_now_us();
    expect_equal(thread_start(&holds, 0), 0);
    int error = condition_wait_until(&changed, &lock, start_us + 2 * TIME_US_PER_MS);
    expect_equal(error, ERR_ABANDONED);
    expect(time_now_us() - start_us >= 10 * TIME_US_PER_MS);
    mutex_unlock(&lock);
}

TEST(a_destroyed_waiter_takes_no_signal)
{
    seen = 0;
    start(&first);
    start(&second);
    thread_destroy(&second);
    value = 7;
    condition_signal(&changed);
    expect_equal(seen, 7);
    start(&first);
    thread_destroy(&first);
    expect(changed.waiting == 0);
    expect_equal(mutex_try(&lock), 0);
    mutex_unlock(&lock);
}

TEST(waiting_gives_back_what_was_inherited)
{
    mutex_lock(&lock);
    int error = thread_start(&second, 0);
    expect_equal(error, 0);
    expect_equal(thread_self()->priority, PRIORITY_APP + 2);
    error = condition_wait_until(&changed, &lock, time_now_us() + 2 * TIME_US_PER_MS);
    expect_equal(error, ERR_TIMEOUT);
    expect_equal(thread_self()->priority, PRIORITY_APP);
    expect_equal(second.state, THREAD_WAITING);
    mutex_unlock(&lock);
    condition_signal(&changed);
    expect_equal(second.state, THREAD_STOPPED);
}
