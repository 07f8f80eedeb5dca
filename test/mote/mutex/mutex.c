/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Mutexes: ownership, and the priorities that are inherited. The tests' own thread has
 * PRIORITY_APP. */
#include <lichen/mutex.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "helper.h"
#include "test.h"

extern struct thread tests;

MUTEX(a);
MUTEX(b);
MUTEX(array[3]);

HELPER(low, PRIORITY_APP - 2)
HELPER(middle, PRIORITY_APP - 1)
HELPER(high, PRIORITY_APP + 1)
HELPER(higher, PRIORITY_APP + 2)

static volatile int result;

TEST(a_free_mutex_is_locked_and_unlocked)
{
    for (unsigned i = 0; i < 3; i++) {
        expect_equal(mutex_lock(&a), 0);
        expect_equal(mutex_lock(&array[i]), 0);
        mutex_unlock(&a);
        mutex_unlock(&array[i]);
    }
    expect_equal(a.owner, 0);
    expect(a.waiting == 0);
}

static void tries(void)
{
    result = mutex_try(&a);
}

TEST(a_mutex_that_another_thread_has_is_busy)
{
    expect_equal(mutex_try(&a), 0);
    run(&high, tries);
    expect_equal(result, ERR_BUSY);
    mutex_unlock(&a);
    run(&high, tries);
    expect_equal(result, 0);
    /* It has ended while it owned the mutex. */
    expect_equal(mutex_lock(&a), ERR_ABANDONED);
    mutex_unlock(&a);
    expect_equal(mutex_lock(&a), 0);
    mutex_unlock(&a);
}

static char order[8];
static unsigned length;

static void locks_a(void)
{
    mutex_lock(&a);
    order[length++] = thread_self() == &high ? 'h' : thread_self() == &higher ? 'H' : 'm';
    mutex_unlock(&a);
}

TEST(waiting_threads_are_served_by_priority)
{
    length = 0;
    mutex_lock(&a);
    run(&high, locks_a);
    run(&higher, locks_a);
    run(&middle, locks_a);
    expect_equal(length, 0);
    sleep_ms(1); /* lets `middle` reach the lock: it inherits nothing, and donates nothing */
    expect_equal(tests.priority, PRIORITY_APP + 2);
    mutex_unlock(&a);
    expect_equal(tests.priority, PRIORITY_APP);
    thread_join(&middle);
    expect_equal(length, 3);
    expect(order[0] == 'H' && order[1] == 'h' && order[2] == 'm');
}

TEST(a_less_urgent_waiter_gives_nothing)
{
    mutex_lock(&a);
    run(&middle, locks_a);
    sleep_ms(1);
    expect_equal(middle.state, THREAD_WAITING);
    expect_equal(tests.priority, PRIORITY_APP);
    mutex_unlock(&a);
    thread_join(&middle);
}

/* A computing thread must not keep a more urgent one from a mutex that a less urgent one owns.
 */
SEMAPHORE(go_on, 0);
static volatile bool computing;

static void holds_a_until_told(void)
{
    mutex_lock(&a);
    semaphore_wait(&go_on);
    mutex_unlock(&a);
}

static void computes(void)
{
    while (computing) {
    }
}

TEST(no_priority_inversion)
{
    run(&low, holds_a_until_told);
    sleep_ms(1);
    expect_equal(low.priority, PRIORITY_APP - 2);
    length = 0;
    run(&high, locks_a);
    expect_equal(low.priority, PRIORITY_APP + 1);
    computing = true;
    run(&middle, computes);
    semaphore_post(&go_on);
    expect_equal(length, 1);
    expect_equal(low.priority, PRIORITY_APP - 2);
    computing = false;
    thread_join(&middle);
    thread_join(&low);
}

/* low owns a, middle owns b and waits for a, high waits for b. */
static void locks_b_then_a(void)
{
    mutex_lock(&b);
    mutex_lock(&a);
    mutex_unlock(&a);
    mutex_unlock(&b);
}

static void locks_b_for_5_ms_at_most(void)
{
    result = mutex_lock_until(&b, time_now_us() + 5 * TIME_US_PER_MS);
    if (result == 0) {
        mutex_unlock(&b);
    }
}

static void chain(step *last)
{
    run(&low, holds_a_until_told);
    sleep_ms(1);
    run(&middle, locks_b_then_a);
    sleep_ms(1);
    expect_equal(low.priority, PRIORITY_APP - 1);
    run(&high, last);
    expect_equal(middle.priority, PRIORITY_APP + 1);
    expect_equal(low.priority, PRIORITY_APP + 1);
}

static void end_chain(void)
{
    semaphore_post(&go_on);
    thread_join(&high);
    thread_join(&middle);
    thread_join(&low);
    expect_equal(a.owner, 0);
    expect_equal(b.owner, 0);
}

TEST(priority_is_inherited_through_a_chain)
{
    result = -1;
    chain(locks_b_for_5_ms_at_most);
    end_chain();
    expect_equal(result, 0);
}

TEST(a_timeout_ends_the_inheritance_of_the_whole_chain)
{
    chain(locks_b_for_5_ms_at_most);
    sleep_ms(10);
    expect_equal(result, ERR_TIMEOUT);
    expect_equal(middle.priority, PRIORITY_APP - 1);
    expect_equal(low.priority, PRIORITY_APP - 1);
    end_chain();
}

TEST(a_destroyed_waiter_ends_its_inheritance)
{
    chain(locks_b_for_5_ms_at_most);
    thread_destroy(&high);
    expect_equal(middle.priority, PRIORITY_APP - 1);
    expect_equal(low.priority, PRIORITY_APP - 1);
    end_chain();
}

TEST(a_changed_priority_is_inherited)
{
    chain(locks_b_for_5_ms_at_most);
    thread_set_priority(&high, PRIORITY_APP + 3);
    expect_equal(low.priority, PRIORITY_APP + 3);
    thread_set_priority(&high, PRIORITY_APP - 2);
    expect_equal(high.priority, PRIORITY_APP - 2);
    expect_equal(low.priority, PRIORITY_APP - 1);
    thread_set_priority(&low, PRIORITY_APP);
    expect_equal(low.priority, PRIORITY_APP);
    end_chain();
}

static void locks_b(void)
{
    mutex_lock(&b);
    mutex_unlock(&b);
}

TEST(several_mutexes_give_back_their_own_part)
{
    mutex_lock(&a);
    mutex_lock(&b);
    run(&high, locks_a);
    run(&higher, locks_b);
    expect_equal(tests.priority, PRIORITY_APP + 2);
    expect_equal(tests.base, PRIORITY_APP);
    mutex_unlock(&a); /* not the one that donated most */
    expect_equal(tests.priority, PRIORITY_APP + 2);
    mutex_unlock(&b);
    expect_equal(tests.priority, PRIORITY_APP);
    mutex_lock(&a);
    mutex_lock(&b);
    run(&high, locks_a);
    run(&higher, locks_b);
    mutex_unlock(&b);
    expect_equal(tests.priority, PRIORITY_APP + 1);
    mutex_unlock(&a);
    expect_equal(tests.priority, PRIORITY_APP);
}

TEST(the_most_urgent_of_several_waiters_counts_whichever_mutex_it_waits_for)
{
    mutex_lock(&a);
    mutex_lock(&b);
    run(&high, locks_b);
    run(&higher, locks_a);
    expect_equal(tests.priority, PRIORITY_APP + 2);
    mutex_unlock(&b);
    expect_equal(tests.priority, PRIORITY_APP + 2);
    mutex_unlock(&a);
    expect_equal(tests.priority, PRIORITY_APP);
}

/* tests owns a, low owns b and waits for a, middle owns c and waits for b, higher waits for c. */
static void locks_c_then_b(void)
{
    mutex_lock(&array[0]);
    locks_b();
    mutex_unlock(&array[0]);
}
static void locks_c(void)
{
    mutex_lock(&array[0]);
    mutex_unlock(&array[0]);
}

TEST(priority_is_inherited_through_three_owners)
{
    mutex_lock(&a);
    run(&low, locks_b_then_a);
    sleep_ms(1);
    run(&middle, locks_c_then_b);
    sleep_ms(1);
    run(&higher, locks_c);
    expect_equal(middle.priority, PRIORITY_APP + 2);
    expect_equal(low.priority, PRIORITY_APP + 2);
    expect_equal(tests.priority, PRIORITY_APP + 2);
    thread_set_priority(&higher, PRIORITY_APP + 3);
    expect_equal(tests.priority, PRIORITY_APP + 3);
    thread_destroy(&higher);
    expect_equal(middle.priority, PRIORITY_APP - 1);
    expect_equal(low.priority, PRIORITY_APP - 1);
    expect_equal(tests.priority, PRIORITY_APP);
    mutex_unlock(&a);
    thread_join(&middle);
    thread_join(&low);
}

static void tells(void)
{
    order[length++] = 't';
}

/* The tests' thread inherits the same priority without `middle`. */
TEST(an_owner_whose_priority_stays_keeps_its_turn)
{
    mutex_lock(&a);
    length = 0;
    run(&middle, locks_a);
    sleep_ms(1);
    run(&high, locks_a);
    run(&low, tells);
    thread_set_priority(&low, PRIORITY_APP + 1);
    expect_equal(length, 0); /* equal to the priority that the tests' thread inherits */
    thread_destroy(&middle);
    expect_equal(length, 0);
    mutex_unlock(&a);
    expect_equal(length, 2);
    expect_equal(order[0], 't');
}

static void waits_with_b(void)
{
    mutex_lock(&b);
    semaphore_wait(&go_on);
    order[length++] = 'b';
    mutex_unlock(&b);
}
static void waits(void)
{
    semaphore_wait(&go_on);
    order[length++] = thread_self() == &high ? 'h' : thread_self() == &higher ? 'H' : 'm';
}

TEST(an_owner_whose_priority_stays_keeps_its_place_where_it_waits)
{
    length = 0;
    run(&high, waits_with_b);
    run(&middle, locks_b);
    sleep_ms(1);
    run(&higher, waits);
    thread_set_priority(&higher, PRIORITY_APP + 1);
    thread_destroy(&middle);
    semaphore_post(&go_on);
    expect_equal(length, 1);
    expect_equal(order[0], 'b');
    semaphore_post(&go_on);
    expect_equal(length, 2);
}

static void expect_served(const char *letters)
{
    length = 0;
    for (; *letters != 0; letters++) {
        semaphore_post(&go_on);
        expect(length > 0 && order[length - 1] == *letters);
    }
}

static void begin_waiting(void)
{
    run(&high, waits);
    run(&higher, waits);
    run(&middle, waits);
    sleep_ms(1);
}

TEST(a_waiter_whose_priority_changes_goes_behind_its_equals)
{
    begin_waiting();
    thread_set_priority(&middle, PRIORITY_APP + 1);
    thread_set_priority(&higher, PRIORITY_APP + 1);
    expect_served("hmH");
    begin_waiting();
    thread_set_priority(&middle, PRIORITY_APP + 3);
    thread_set_priority(&higher, PRIORITY_APP + 3);
    expect_served("mHh");
}

static void locks_a_and_tells(void)
{
    result = mutex_lock(&a);
    mutex_unlock(&a);
}

TEST(a_destroyed_owner_leaves_its_mutexes_to_who_waits)
{
    run(&low, holds_a_until_told);
    sleep_ms(1);
    result = 0;
    run(&high, locks_a_and_tells);
    thread_destroy(&low);
    expect_equal(result, ERR_ABANDONED);
    expect_equal(low.state, THREAD_STOPPED);
    expect_equal(mutex_lock(&a), 0);
    mutex_unlock(&a);
}

TEST(a_destroyed_owner_that_nobody_contended_with_is_found)
{
    run(&low, holds_a_until_told);
    sleep_ms(1);
    thread_destroy(&low);
    expect_equal(mutex_lock_until(&a, 0), ERR_ABANDONED);
    mutex_unlock(&a);
}

static void holds_b_paused(void)
{
    mutex_lock(&b);
    thread_pause(thread_self());
    mutex_unlock(&b);
}

TEST(a_paused_owner_keeps_its_mutex)
{
    run(&high, holds_b_paused);
    expect_equal(high.state, THREAD_PAUSED);
    expect_equal(mutex_lock_until(&b, time_now_us() + 2 * TIME_US_PER_MS), ERR_TIMEOUT);
    thread_resume(&high);
    expect_equal(high.state, THREAD_STOPPED);
    expect_equal(mutex_lock(&b), 0);
    mutex_unlock(&b);
}

TEST(a_paused_waiter_is_given_the_mutex_and_goes_on_later)
{
    mutex_lock(&a);
    length = 0;
    run(&high, locks_a);
    thread_pause(&high);
    mutex_unlock(&a);
    expect_equal(length, 0);
    expect_equal(a.owner, (uintptr_t)&high);
    expect_equal(mutex_try(&a), ERR_BUSY);
    thread_resume(&high);
    expect_equal(length, 1);
    expect_equal(a.owner, 0);
}
