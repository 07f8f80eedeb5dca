/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Barriers. The tests' own thread has PRIORITY_APP. */
#include <lichen/barrier.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "test.h"

BARRIER(three, 3);
BARRIER(alone, 1);
static volatile unsigned passed;
static volatile int result;

#define PARTY(name, priority)                                                                      \
    THREAD_STOPPED(name, SMALL_STACK, priority)                                                    \
    {                                                                                              \
        result = argument != 0 ? barrier_wait_until(&three, time_now_us() + 2 * TIME_US_PER_MS)    \
                               : (barrier_wait(&three), 0);                                        \
        passed++;                                                                                  \
    }

PARTY(one, PRIORITY_APP + 1)
PARTY(two, PRIORITY_APP + 2)

static void start(struct thread *thread, void *with_deadline)
{
    int error = thread_start(thread, with_deadline);
    expect_equal(error, 0);
}

TEST(the_last_one_lets_all_go_on_again_and_again)
{
    for (unsigned i = 0; i < 3; i++) {
        passed = 0;
        start(&one, 0);
        start(&two, 0);
        expect_equal(passed, 0);
        barrier_wait(&three);
        expect_equal(passed, 2);
    }
}

TEST(a_barrier_for_one_holds_nobody)
{
    barrier_wait(&alone);
    expect_equal(barrier_wait_until(&alone, 0), 0);
}

TEST(who_stops_waiting_has_not_come)
{
    passed = 0;
    start(&one, &one);
    start(&two, 0);
    sleep_ms(5);
    expect_equal(passed, 1);
    expect_equal(result, ERR_TIMEOUT);
    expect_equal(barrier_wait_until(&three, time_now_us() + TIME_US_PER_MS), ERR_TIMEOUT);
    thread_destroy(&two);
    start(&one, 0);
    expect_equal(barrier_wait_until(&three, 0), ERR_TIMEOUT);
    start(&two, 0);
    expect_equal(passed, 1);
    expect_equal(barrier_wait_until(&three, 0), 0);
    expect_equal(passed, 3);
}
