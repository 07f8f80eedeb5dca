/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A deadlock ends a program that says PANIC_ON_DEADLOCK, in the call that closes it; the next start
 * checks the record. What is no deadlock goes on. The tests' own thread has PRIORITY_APP.
 */
#include <lichen/condition.h>
#include <lichen/event.h>
#include <lichen/mutex.h>
#include <lichen/notify.h>
#include <lichen/panic.h>
#include <lichen/reset.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "helper.h"
#include "test.h"

PANIC_ON_DEADLOCK;

extern struct thread tests;

MUTEX(a);
MUTEX(b);
MUTEX(c);
CONDITION(changed);

/* A word that start-up does not touch counts the starts. */
static __attribute__((section(".noinit"))) unsigned start;

HELPER(low, PRIORITY_APP - 1)
HELPER(high, PRIORITY_APP + 1)
HELPER(higher, PRIORITY_APP + 2)

static volatile int result;

static void has_b_and_locks_a(void)
{
    mutex_lock(&b);
    mutex_lock(&a);
    mutex_unlock(&a);
    mutex_unlock(&b);
}

static void has_b_and_never_gives_up(void)
{
    mutex_lock(&b);
    result = mutex_lock_until(&a, TIME_NEVER);
}

static void has_c_and_locks_b(void)
{
    mutex_lock(&c);
    mutex_lock(&b);
    mutex_unlock(&b);
    mutex_unlock(&c);
}

static void has_b_and_waits_for_change(void)
{
    mutex_lock(&b);
    mutex_lock(&a);
    (void)condition_wait(&changed, &a);
}

static void two(void)
{
    mutex_lock(&a);
    run(&high, has_b_and_locks_a);
    mutex_lock(&b);
}

static void three(void)
{
    mutex_lock(&a);
    run(&high, has_b_and_locks_a);
    run(&higher, has_c_and_locks_b);
    mutex_lock(&c);
}

static void with_endless_deadlines(void)
{
    mutex_lock(&a);
    run(&high, has_b_and_never_gives_up);
    result = mutex_lock_until(&b, TIME_NEVER);
}

static void of_a_paused_thread(void)
{
    mutex_lock(&a);
    run(&high, has_b_and_locks_a);
    thread_pause(&high);
    mutex_lock(&b);
}

/* The woken thread, which has b, waits for a in the end of its condition_wait. */
static void after_a_condition(void)
{
    run(&high, has_b_and_waits_for_change);
    mutex_lock(&a);
    condition_signal(&changed);
    mutex_lock(&b);
}

/* Here the other thread closes the circle. */
static void locks_a_late(void)
{
    mutex_lock(&b);
    sleep_ms(2);
    mutex_lock(&a);
}

static void by_another_thread(void)
{
    mutex_lock(&a);
    run(&high, locks_a_late);
    mutex_lock(&b);
}

/* No circle of threads: an assertion, with or without PANIC_ON_DEADLOCK. */
static void of_one(void)
{
    mutex_lock(&a);
    mutex_lock(&a);
}

static const struct {
    step *close;
    enum panic_reason reason;
    const struct thread *thread;
    const struct mutex *last;
} ways[] = {
    {two, PANIC_DEADLOCK, &tests, &b},
    {three, PANIC_DEADLOCK, &tests, &c},
    {with_endless_deadlines, PANIC_DEADLOCK, &tests, &b},
    {of_a_paused_thread, PANIC_DEADLOCK, &tests, &b},
    {after_a_condition, PANIC_DEADLOCK, &tests, &b},
    {by_another_thread, PANIC_DEADLOCK, &high, &a},
    {of_one, PANIC_ASSERT, &tests, 0},
};
#define WAYS (sizeof(ways) / sizeof(ways[0]))

TEST(a_deadlock_panics_where_it_closes)
{
    if (reset_cause() == RESET_POWER) {
        start = 0;
    } else {
        expect_equal(panic_last()->reason, ways[start - 1].reason);
        expect_equal(panic_last()->thread, (uintptr_t)ways[start - 1].thread);
        expect_equal(panic_last()->detail, (uintptr_t)ways[start - 1].last);
    }
    if (start < WAYS) {
        ways[start++].close();
        expect(false);
    }
}

static void has_b_and_gives_up(void)
{
    mutex_lock(&b);
    result = mutex_lock_until(&a, time_now_us() + 5000);
    mutex_unlock(&b);
}

TEST(a_circle_with_a_deadline_ends_by_itself)
{
    mutex_lock(&a);
    run(&high, has_b_and_gives_up);
    mutex_lock(&b);
    expect_equal(result, ERR_TIMEOUT);
    mutex_unlock(&b);
    mutex_unlock(&a);
}

/* A third thread finds a circle that has a deadline, and is not in it. */
static void locks_b(void)
{
    mutex_lock(&b);
    mutex_unlock(&b);
}

TEST(and_so_does_one_whose_last_wait_has_it)
{
    mutex_lock(&a);
    run(&high, has_b_and_locks_a);
    run(&higher, locks_b);
    expect_equal(mutex_lock_until(&b, time_now_us() + 5000), ERR_TIMEOUT);
    mutex_unlock(&a);
    mutex_lock(&b);
    mutex_unlock(&b);
}

TEST(a_deadline_that_is_past_is_one)
{
    mutex_lock(&a);
    run(&high, has_b_and_locks_a);
    expect_equal(mutex_lock_until(&b, 0), ERR_TIMEOUT);
    mutex_unlock(&a);
    mutex_lock(&b);
    mutex_unlock(&b);
}

NOTIFY(given);

static void has_b_until_given(void)
{
    mutex_lock(&b);
    notify_wait(&given);
    mutex_unlock(&b);
}

EVENT(gives)
{
    notify_post(&given);
}

static TIMER(soon, gives);

TEST(an_owner_that_waits_for_an_event_is_no_deadlock)
{
    run(&high, has_b_until_given);
    expect_equal(timer_arm_after(&soon, 2 * TIME_US_PER_MS), 0);
    mutex_lock(&b);
    mutex_unlock(&b);
}

static void has_b_for_a_while(void)
{
    mutex_lock(&b);
    sleep_ms(2);
    mutex_unlock(&b);
}

TEST(nor_is_one_that_sleeps)
{
    mutex_lock(&a);
    run(&high, has_b_for_a_while);
    mutex_lock(&b);
    mutex_unlock(&b);
    mutex_unlock(&a);
}

static volatile bool computing;

/* Leaves untouched what the calls before it have left on the stack: what they waited for. */
static __attribute__((noinline)) void compute(void)
{
    uint8_t room[96];
    __asm__ volatile("" : : "r"(room) : "memory");
    while (computing) {
    }
}

static void has_b_and_computes(void)
{
    mutex_lock(&b);
    mutex_lock(&a);
    mutex_unlock(&a);
    compute();
    mutex_unlock(&b);
}

EVENT(ends)
{
    computing = false;
}

static TIMER(then, ends);

/* What it waited for last, a, is the caller's now. */
TEST(nor_is_one_that_has_ceased_to_wait)
{
    computing = true;
    mutex_lock(&a);
    run(&low, has_b_and_computes);
    sleep_ms(1);
    expect_equal(low.state, THREAD_WAITING);
    mutex_unlock(&a);
    sleep_ms(1);
    mutex_lock(&a);
    expect_equal(timer_arm_after(&then, 2 * TIME_US_PER_MS), 0);
    mutex_lock(&b);
    mutex_unlock(&b);
    mutex_unlock(&a);
}
