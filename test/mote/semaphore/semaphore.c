/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Semaphores. */
#include <string.h>

#include <lichen/interrupt.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "late.h"
#include "software_interrupt.h"
#include "test.h"

static char order[16];
static unsigned length;

static void ran(char letter)
{
    if (length < sizeof(order) - 1) {
        order[length++] = letter;
    }
}

SEMAPHORE(counted, 2);

TEST(it_counts)
{
    expect_equal(semaphore_try(&counted), 0);
    expect_equal(semaphore_try(&counted), 0);
    expect_equal(semaphore_try(&counted), ERR_EMPTY);
    expect_equal(semaphore_post(&counted), 0);
    semaphore_wait(&counted);
    expect_equal(semaphore_try(&counted), ERR_EMPTY);
}

SEMAPHORE(nearly_full, UINT16_MAX - 1);

SEMAPHORE(for_events, 1);
static volatile int first_try, second_try;

EVENT(tries_twice)
{
    first_try = semaphore_try(&for_events);
    second_try = semaphore_try(&for_events);
}

TEST(an_event_takes_what_is_there)
{
    event_post(&tries_twice);
    expect_equal(first_try, 0);
    expect_equal(second_try, ERR_EMPTY);
}

SEMAPHORE(half_full, INT16_MAX);

TEST(it_says_when_it_is_full)
{
    expect_equal(semaphore_post(&half_full), 0);
    expect_equal(half_full.count, INT16_MAX + 1u);
    expect_equal(semaphore_post(&nearly_full), 0);
    expect_equal(semaphore_post(&nearly_full), ERR_FULL);
}

SEMAPHORE(queue, 0);

static void waits(char letter)
{
    for (;;) {
        semaphore_wait(&queue);
        ran(letter);
    }
}

THREAD(first, SMALL_STACK, PRIORITY_APP + 1)
{
    waits('1');
}
THREAD(second, SMALL_STACK, PRIORITY_APP + 1)
{
    waits('2');
}
THREAD(urgent, SMALL_STACK, PRIORITY_APP + 2)
{
    sleep_ms(5); /* comes last */
    waits('u');
}

TEST(the_most_urgent_waiting_thread_is_served_first_then_in_order)
{
    sleep_ms(20);
    memset(order, 0, sizeof(order));
    length = 0;
    semaphore_post(&queue);
    expect(strcmp(order, "u") == 0);
    /* Each post below would serve the urgent one again: it waits again before the next post. */
    semaphore_post(&queue);
    expect(strcmp(order, "uu") == 0);
}

SEMAPHORE(fair, 0);
static char fair_order[8];
static unsigned fair_length;

static void waits_once(char letter)
{
    for (;;) {
        semaphore_wait(&fair);
        fair_order[fair_length++] = letter;
    }
}

THREAD(earlier, MEDIUM_STACK, PRIORITY_APP + 1)
{
    waits_once('e');
}
THREAD(later, MEDIUM_STACK, PRIORITY_APP + 1)
{
    sleep_ms(5);
    waits_once('l');
}
THREAD(last, MEDIUM_STACK, PRIORITY_APP + 1)
{
    sleep_ms(10);
    waits_once('z');
}

TEST(equals_are_served_in_the_order_they_came)
{
    sleep_ms(20);
    for (unsigned i = 0; i < 7; i++) {
        semaphore_post(&fair);
    }
    expect(memcmp(fair_order, "elzelze", 7) == 0);
}

SEMAPHORE(never, 0);

TEST(a_wait_ends_at_its_deadline)
{
    uint64_t start = time_now_us();
    expect_equal(semaphore_wait_until(&never, start + 10 * TIME_US_PER_MS), ERR_TIMEOUT);
    uint64_t us = time_now_us() - start;
    expect(us >= 10 * TIME_US_PER_MS);
    expect(us < 10 * TIME_US_PER_MS + LATE_US);
    /* Nothing is left of the ended wait: a post is counted. */
    semaphore_post(&never);
    expect_equal(semaphore_try(&never), 0);
}

TEST(a_deadline_of_the_past_only_tries)
{
    expect_equal(semaphore_wait_until(&never, 0), ERR_TIMEOUT);
    semaphore_post(&never);
    expect_equal(semaphore_wait_until(&never, 0), 0);
}

SEMAPHORE(in_time, 0);

THREAD(posts_in_time, SMALL_STACK, PRIORITY_APP - 1)
{
    for (;;) {
        semaphore_post(&in_time);
        sleep_ms(1000);
    }
}

TEST(a_post_before_the_deadline_is_taken)
{
    uint64_t deadline = time_now_us() + 2000 * TIME_US_PER_MS;
    expect_equal(semaphore_wait_until(&in_time, deadline), 0);
    expect_equal(semaphore_wait_until(&in_time, deadline), 0);
    /* The deadline that was not needed wakes nobody. */
    sleep_ms(3000);
    while (semaphore_try(&in_time) == 0) {
    }
}

SEMAPHORE_RT(from_interrupts, 0);
static unsigned per_interrupt;

/* A level above the drivers'. */
#define ABOVE (LEVEL_DRIVER - 1)

static inline __attribute__((always_inline)) void post_some(unsigned level)
{
    for (unsigned i = 0; i < per_interrupt; i++) {
        semaphore_post_from(&from_interrupts, level);
    }
}

SOFTWARE_INTERRUPTS(post_some)

static unsigned drain(void)
{
    unsigned count = 0;
    while (semaphore_try(&from_interrupts.semaphore) == 0) {
        count++;
    }
    return count;
}

TEST(no_post_of_an_interrupt_is_lost)
{
    software_interrupts_enable();
    per_interrupt = 3;
    software_interrupts(SOFTWARE_LEVELS);
    expect_equal(drain(), 3 * LEVEL_KERNEL);
    per_interrupt = 255; /* the most that may be pending for the kernel */
    software_interrupts(1u << ABOVE);
    expect_equal(drain(), 255);
    per_interrupt = 1;
    for (unsigned i = 0; i < 300; i++) {
        software_interrupts(1u << LEVEL_DRIVER);
    }
    expect_equal(drain(), 300);
}

TEST(posts_beyond_what_a_level_can_count_are_lost_by_256)
{
    per_interrupt = 256;
    software_interrupts(1u << ABOVE);
    expect_equal(drain(), 0);
    per_interrupt = 258;
    software_interrupts(1u << ABOVE);
    expect_equal(drain(), 2);
}

TEST(posts_of_interrupts_to_a_full_semaphore_leave_it_full)
{
    from_interrupts.semaphore.count = UINT16_MAX - 1;
    per_interrupt = 3;
    software_interrupts(1u << 0);
    expect_equal(from_interrupts.semaphore.count, UINT16_MAX);
    from_interrupts.semaphore.count = 0;
}

/* ---------------------------------------------------------------- posts of interrupts to waiting
 * threads
 */
static volatile unsigned served;
static volatile bool middle_ran_first;
static volatile unsigned middle_runs;
SEMAPHORE(go_middle, 0);

#define WAITS_FOR_INTERRUPTS(name, priority)                                                       \
    THREAD_STOPPED(name, SMALL_STACK, priority)                                                    \
    {                                                                                              \
        semaphore_wait(&from_interrupts.semaphore);                                                \
        served++;                                                                                  \
    }

WAITS_FOR_INTERRUPTS(waits_one, PRIORITY_APP + 1)
WAITS_FOR_INTERRUPTS(waits_two, PRIORITY_APP + 1)
WAITS_FOR_INTERRUPTS(waits_three, PRIORITY_APP + 1)
WAITS_FOR_INTERRUPTS(waits_equal, PRIORITY_APP)

static void begin(struct thread *thread)
{
    int error = thread_start(thread, 0);
    expect_equal(error, 0);
}

static void three_wait(void)
{
    software_interrupts_enable();
    served = 0;
    per_interrupt = 1;
    begin(&waits_one);
    begin(&waits_two);
    begin(&waits_three);
}

TEST(interrupts_serve_as_many_as_they_post)
{
    three_wait();
    per_interrupt = 2;
    software_interrupts(1u << LEVEL_DRIVER);
    expect_equal(served, 2);
    software_interrupts(1u << LEVEL_DRIVER);
    expect_equal(served, 3);
    expect_equal(drain(), 1);
}

/* The first one served counts the posts of all levels. */
TEST(posts_of_two_levels_in_one_moment_serve_two)
{
    three_wait();
    software_interrupts(1u << 0 | 1u << LEVEL_DRIVER);
    expect_equal(served, 2);
    software_interrupts(1u << LEVEL_DRIVER);
    expect_equal(served, 3);
    expect_equal(drain(), 0);
}

TEST(who_is_paused_is_served_and_does_not_run)
{
    software_interrupts_enable();
    served = 0;
    per_interrupt = 1;
    begin(&waits_one);
    thread_pause(&waits_one);
    software_interrupts(1u << LEVEL_DRIVER);
    expect_equal(served, 0);
    expect_equal(drain(), 0);
    thread_resume(&waits_one);
    expect_equal(served, 1);
}

/* The paused threads are served without becoming ready, although then no ready thread is more
 * urgent than the third. */
TEST(posts_that_serve_who_is_paused_serve_nobody_else)
{
    three_wait();
    thread_pause(&waits_one);
    thread_pause(&waits_two);
    software_interrupts(1u << 0 | 1u << LEVEL_DRIVER);
    expect_equal(served, 0);
    thread_resume(&waits_one);
    thread_resume(&waits_two);
    expect_equal(served, 2);
    software_interrupts(1u << LEVEL_DRIVER);
    expect_equal(served, 3);
}

TEST(an_equal_that_an_interrupt_serves_comes_behind)
{
    served = 0;
    begin(&waits_equal);
    sleep_ms(1);
    software_interrupts(1u << LEVEL_DRIVER);
    expect_equal(served, 0);
    thread_yield();
    expect_equal(served, 1);
}

THREAD_STOPPED(waits_most_urgent, SMALL_STACK, PRIORITY_APP + 3)
{
    semaphore_wait(&from_interrupts.semaphore);
    semaphore_post(&go_middle);
    middle_ran_first = middle_runs != 0;
}
THREAD_STOPPED(middle, SMALL_STACK, PRIORITY_APP + 2)
{
    semaphore_wait(&go_middle);
    middle_runs++;
}

TEST(who_is_served_by_an_interrupt_is_as_urgent_as_ever)
{
    middle_runs = 0;
    begin(&middle);
    begin(&waits_most_urgent);
    software_interrupts(1u << LEVEL_DRIVER);
    expect_equal(middle_runs, 1);
    expect(!middle_ran_first);
}
