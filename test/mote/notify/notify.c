/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Direct notification. */
#include <string.h>

#include <lichen/event.h>
#include <lichen/interrupt.h>
#include <lichen/notify.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "late.h"
#include "software_interrupt.h"
#include "test.h"

NOTIFY(n1);
NOTIFY(n2);
NOTIFY(own);

static volatile unsigned woken1, woken2;

THREAD(waits1, SMALL_STACK, PRIORITY_APP + 1)
{
    for (;;) {
        notify_wait(&n1);
        woken1++;
    }
}

THREAD(waits2, SMALL_STACK, PRIORITY_APP + 2)
{
    for (;;) {
        notify_wait(&n2);
        woken2++;
    }
}

/* Has the priority of the tests' own thread. */
NOTIFY(n_equal);
static volatile unsigned woken_equal;

THREAD(waits_equal, SMALL_STACK, PRIORITY_APP)
{
    for (;;) {
        notify_wait(&n_equal);
        woken_equal++;
    }
}

/* What the interrupts notify. Each test sets it. */
static struct notify *targets[LEVEL_KERNEL][3];

static inline __attribute__((always_inline)) void notify_all(unsigned level)
{
    for (unsigned i = 0; i < 3 && targets[level][i] != 0; i++) {
        notify_post_from(targets[level][i], level);
    }
}

SOFTWARE_INTERRUPTS(notify_all)

static void prepare(void)
{
    memset(targets, 0, sizeof(targets));
    software_interrupts_enable();
    woken1 = 0;
    woken2 = 0;
}

TEST(an_interrupt_wakes_the_waiting_thread_of_each_level)
{
    prepare();
    for (unsigned level = 0; level < LEVEL_KERNEL; level++) {
        targets[level][0] = &n1;
        software_interrupts(1u << level);
        expect_equal(woken1, level + 1);
    }
}

TEST(two_notifications_of_one_level_wake_both)
{
    prepare();
    targets[LEVEL_DRIVER][0] = &n1;
    targets[LEVEL_DRIVER][1] = &n2;
    software_interrupts(1u << LEVEL_DRIVER);
    expect_equal(woken1, 1);
    expect_equal(woken2, 1);
}

TEST(two_posts_of_one_interrupt_are_one)
{
    prepare();
    for (unsigned level = 0; level < LEVEL_KERNEL; level++) {
        targets[level][0] = &n1;
        targets[level][1] = &n1;
        software_interrupts(1u << level);
        expect_equal(woken1, level + 1);
    }
}

TEST(levels_do_not_disturb_each_other)
{
    prepare();
    targets[0][0] = &n1;
    targets[LEVEL_DRIVER][0] = &n2;
    for (unsigned i = 1; i <= 300; i++) {
        software_interrupts(1u << 0 | 1u << LEVEL_DRIVER);
        expect_equal(woken1, i);
        expect_equal(woken2, i);
    }
}

/* Whether posts to a thread that is woken but has not run yet merge is left open; that it is
 * notified is not. */
TEST(notified_by_all_levels_at_once_a_thread_wakes)
{
    prepare();
    for (unsigned level = 0; level < LEVEL_DRIVER; level++) {
        targets[level][0] = &n1;
    }
    targets[LEVEL_DRIVER][0] = &n2;
    targets[LEVEL_DRIVER][1] = &n1;
    for (unsigned i = 1; i <= 300; i++) {
        unsigned before1 = woken1, before2 = woken2;
        software_interrupts(SOFTWARE_LEVELS);
        expect(woken1 > before1 && woken1 <= before1 + LEVEL_KERNEL);
        expect_equal(woken2, before2 + 1);
    }
}

EVENT(notifies)
{
    notify_post(&n1);
}

TEST(an_event_and_a_thread_notify)
{
    prepare();
    event_post(&notifies);
    expect_equal(woken1, 1);
    notify_post(&n1);
    expect_equal(woken1, 2);
}

EVENT(notifies_equal)
{
    notify_post(&n_equal);
}

static void expect_behind(unsigned before)
{
    expect_equal(woken_equal, before);
    thread_yield();
    expect_equal(woken_equal, before + 1);
}

TEST(a_thread_that_is_woken_comes_behind_its_equals)
{
    prepare();
    thread_yield(); /* it waits now */
    unsigned before = woken_equal;
    event_post(&notifies_equal);
    expect_behind(before);
    targets[LEVEL_DRIVER][0] = &n_equal;
    software_interrupts(1u << LEVEL_DRIVER);
    expect_behind(before + 1);
    notify_post(&n_equal);
    expect_behind(before + 2);
}

TEST(a_notification_before_the_wait_is_kept_once)
{
    prepare();
    targets[LEVEL_DRIVER][0] = &own;
    software_interrupts(1u << LEVEL_DRIVER);
    software_interrupts(1u << LEVEL_DRIVER);
    notify_post(&own);
    notify_wait(&own);
    expect_equal(notify_wait_until(&own, 0), ERR_TIMEOUT);
}

TEST(a_wait_ends_at_its_deadline)
{
    uint64_t start = time_now_us();
    expect_equal(notify_wait_until(&own, start + 10 * TIME_US_PER_MS), ERR_TIMEOUT);
    uint64_t us = time_now_us() - start;
    expect(us >= 10 * TIME_US_PER_MS);
    expect(us < 10 * TIME_US_PER_MS + LATE_US);
}

NOTIFY(answer);

THREAD(answers, SMALL_STACK, PRIORITY_APP - 1)
{
    for (;;) {
        notify_wait(&answer);
        targets[LEVEL_DRIVER][0] = &own;
        software_interrupts(1u << LEVEL_DRIVER);
    }
}

TEST(an_interrupt_ends_a_wait_that_has_a_deadline)
{
    prepare();
    notify_post(&answer);
    uint64_t start = time_now_us();
    expect_equal(notify_wait_until(&own, start + 1000 * TIME_US_PER_MS), 0);
    expect(time_now_us() - start < 10 * TIME_US_PER_MS);
}
