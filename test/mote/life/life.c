/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* From the start of a thread to its end, in every state. The tests' own thread has PRIORITY_APP. */
#include <string.h>

#include <lichen/event.h>
#include <lichen/notify.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "helper.h"
#include "test.h"

extern struct thread tests;

HELPER(less_urgent, PRIORITY_APP - 1)
HELPER(equal, PRIORITY_APP)
HELPER(more_urgent, PRIORITY_APP + 1)
HELPER(another, PRIORITY_APP + 2)

static volatile unsigned runs;
static volatile int result;

static void counts(void)
{
    runs++;
}

TEST(a_stopped_thread_runs_when_it_is_started)
{
    runs = 0;
    expect_equal(more_urgent.state, THREAD_STOPPED);
    for (unsigned i = 1; i <= 3; i++) {
        run(&more_urgent, counts);
        expect_equal(runs, i);
        expect_equal(more_urgent.state, THREAD_STOPPED);
    }
}

TEST(a_thread_that_is_started_without_an_argument_has_none)
{
    expect_equal(thread_start(&more_urgent, 0), 0); /* otherwise it would run something */
    expect_equal(more_urgent.state, THREAD_STOPPED);
}

TEST(a_thread_that_runs_cannot_be_started)
{
    run(&less_urgent, counts);
    expect_equal(thread_start(&less_urgent, 0), ERR_BUSY);
    expect_equal(thread_start(&tests, 0), ERR_BUSY);
    thread_join(&less_urgent);
    expect_equal(thread_start(&less_urgent, 0), 0);
    thread_join(&less_urgent);
}

static void starts_one_less_urgent(void)
{
    run(&more_urgent, counts);
    result = (int)runs;
}

TEST(who_is_started_by_the_one_that_was_started_last_waits_for_it)
{
    runs = 0;
    run(&another, starts_one_less_urgent);
    expect_equal(result, 0);
    expect_equal(runs, 1);
}

TEST(an_equal_that_is_started_comes_behind)
{
    runs = 0;
    run(&equal, counts);
    expect_equal(runs, 0);
    thread_yield();
    expect_equal(runs, 1);
}

EVENT(starts)
{
    result = thread_start(&more_urgent, (void *)counts);
}

TEST(an_event_starts_a_thread)
{
    runs = 0;
    result = -1;
    event_post(&starts);
    expect_equal(result, 0);
    expect_equal(runs, 1);
}

static void exits(void)
{
    runs++;
    thread_exit();
    runs++;
}

TEST(a_thread_ends_where_it_says_so)
{
    runs = 0;
    run(&more_urgent, exits);
    expect_equal(runs, 1);
    expect_equal(more_urgent.state, THREAD_STOPPED);
}

static void destroys_itself(void)
{
    runs++;
    thread_destroy(thread_self());
    runs++;
}

TEST(a_thread_destroys_itself)
{
    runs = 0;
    run(&more_urgent, destroys_itself);
    expect_equal(runs, 1);
    expect_equal(more_urgent.state, THREAD_STOPPED);
}

/* What a thread may be doing when it is destroyed. */
SEMAPHORE(never, 0);
NOTIFY(notified);

static void waits_for_ever(void)
{
    semaphore_wait(&never);
    runs++;
}
static void waits_with_deadline(void)
{
    result = semaphore_wait_until(&never, time_now_us() + 5 * TIME_US_PER_MS);
    runs++;
}
static void sleeps(void)
{
    sleep_ms(5);
    runs++;
}
static void waits_for_notification(void)
{
    notify_wait(&notified);
    runs++;
}
static void waits_for_notification_with_deadline(void)
{
    result = notify_wait_until(&notified, time_now_us() + 5 * TIME_US_PER_MS);
    runs++;
}
static void pauses(void)
{
    thread_pause(thread_self());
    runs++;
}
static void joins(void)
{
    thread_join(&tests);
    runs++;
}

static void expect_destroyed(step *first)
{
    runs = 0;
    run(&more_urgent, first);
    expect(more_urgent.state != THREAD_STOPPED);
    thread_destroy(&more_urgent);
    expect_equal(more_urgent.state, THREAD_STOPPED);
    thread_destroy(&more_urgent); /* stays stopped */
    sleep_ms(10);
    expect_equal(runs, 0);
    /* Paused in addition to whatever it does. */
    run(&more_urgent, first);
    thread_pause(&more_urgent);
    thread_destroy(&more_urgent);
    sleep_ms(10);
    expect_equal(runs, 0);
    expect_equal(more_urgent.state, THREAD_STOPPED);
}

TEST(a_thread_is_destroyed_whatever_it_does)
{
    expect_destroyed(waits_for_ever);
    expect_destroyed(waits_with_deadline);
    expect_destroyed(sleeps);
    expect_destroyed(waits_for_notification);
    expect_destroyed(waits_for_notification_with_deadline);
    expect_destroyed(pauses);
    expect_destroyed(joins);
    /* Nothing of the ended waits is left. */
    expect_equal(semaphore_post(&never), 0);
    expect_equal(semaphore_try(&never), 0);
    notify_post(&notified);
    notify_wait(&notified);
    /* Ready, and never run. */
    run(&less_urgent, counts);
    thread_destroy(&less_urgent);
    sleep_ms(1);
    expect_equal(runs, 0);
}

static void pauses_after_its_notification(void)
{
    notify_wait(&notified);
    thread_pause(thread_self());
    runs++;
}

/* What it waited for earlier belongs to another thread by then. */
TEST(a_destroyed_thread_leaves_alone_what_it_does_not_wait_for)
{
    runs = 0;
    run(&more_urgent, pauses_after_its_notification);
    notify_post(&notified);
    expect_equal(more_urgent.state, THREAD_PAUSED);
    notify_post(&notified);
    thread_destroy(&more_urgent);
    expect_equal(notify_wait_until(&notified, 0), 0);
    expect_equal(runs, 0);
}

static void destroys_less_urgent(void)
{
    thread_destroy(&less_urgent);
}
static void destroys_tests_helper(void)
{
    thread_destroy(&another);
    runs++;
}

TEST(a_thread_destroys_one_that_it_has_interrupted)
{
    runs = 0;
    run(&less_urgent, counts);
    run(&more_urgent, destroys_less_urgent);
    sleep_ms(1);
    expect_equal(runs, 0);
    run(&another, waits_for_ever);
    run(&more_urgent, destroys_tests_helper);
    expect_equal(runs, 1);
    expect_equal(another.state, THREAD_STOPPED);
}

static void joins_less_urgent(void)
{
    thread_join(&less_urgent);
    runs++;
}

TEST(all_who_join_a_thread_go_on_when_it_ends)
{
    runs = 0;
    run(&less_urgent, sleeps);
    run(&more_urgent, joins_less_urgent);
    run(&another, joins_less_urgent);
    expect_equal(runs, 0);
    thread_join(&less_urgent);
    expect_equal(runs, 3);
    thread_join(&less_urgent); /* at once */
    run(&less_urgent, waits_for_ever);
    run(&more_urgent, joins_less_urgent);
    sleep_ms(1);
    expect_equal(runs, 3);
    thread_destroy(&less_urgent);
    expect_equal(runs, 4);
}

TEST(a_join_ends_at_its_deadline)
{
    run(&less_urgent, sleeps);
    expect_equal(thread_join_until(&less_urgent, 0), ERR_TIMEOUT);
    uint64_t start = time_now_us();
    expect_equal(thread_join_until(&less_urgent, start + 2 * TIME_US_PER_MS), ERR_TIMEOUT);
    expect(time_now_us() - start >= 2 * TIME_US_PER_MS);
    expect_equal(thread_join_until(&less_urgent, start + 50 * TIME_US_PER_MS), 0);
    expect(time_now_us() - start < 20 * TIME_US_PER_MS);
    expect_equal(less_urgent.state, THREAD_STOPPED);
    expect_equal(thread_join_until(&less_urgent, 0), 0);
}

TEST(a_paused_thread_does_not_run_until_it_is_resumed)
{
    runs = 0;
    run(&less_urgent, counts);
    thread_pause(&less_urgent);
    thread_pause(&less_urgent);
    expect_equal(less_urgent.state, THREAD_PAUSED);
    sleep_ms(2);
    expect_equal(runs, 0);
    thread_resume(&less_urgent);
    thread_resume(&less_urgent);
    sleep_ms(1);
    expect_equal(runs, 1);
    thread_pause(&less_urgent); /* stopped: no effect */
    thread_resume(&less_urgent);
    expect_equal(less_urgent.state, THREAD_STOPPED);
}

TEST(an_equal_that_is_resumed_comes_behind)
{
    runs = 0;
    run(&equal, counts);
    thread_pause(&equal);
    thread_resume(&equal);
    expect_equal(runs, 0);
    thread_yield();
    expect_equal(runs, 1);
}

/* Resuming one that is not paused changes nothing. */
TEST(a_thread_that_is_not_paused_is_not_resumed)
{
    runs = 0;
    run(&more_urgent, waits_for_ever);
    thread_resume(&more_urgent);
    expect_equal(more_urgent.state, THREAD_WAITING);
    expect_equal(semaphore_post(&never), 0);
    expect_equal(runs, 1);
    run(&less_urgent, counts);
    thread_resume(&less_urgent);
    expect_equal(less_urgent.state, THREAD_READY);
    thread_join(&less_urgent);
    expect_equal(runs, 2);
}

static void expect_wait_ends_while_paused(step *first, void (*end)(void), int wanted)
{
    runs = 0;
    result = 0;
    run(&more_urgent, first);
    thread_pause(&more_urgent);
    expect_equal(more_urgent.state, THREAD_WAITING | THREAD_PAUSED);
    end();
    expect_equal(more_urgent.state, THREAD_PAUSED);
    expect_equal(runs, 0);
    thread_resume(&more_urgent);
    expect_equal(runs, 1);
    expect_equal(result, wanted);
}

static void expect_wait_goes_on(step *first, void (*end)(void), int wanted)
{
    runs = 0;
    result = 0;
    run(&more_urgent, first);
    thread_pause(&more_urgent);
    thread_resume(&more_urgent);
    expect_equal(more_urgent.state, THREAD_WAITING);
    end();
    expect_equal(runs, 1);
    expect_equal(result, wanted);
}

static void post_never(void)
{
    semaphore_post(&never);
}
static void notify(void)
{
    notify_post(&notified);
}
static void wait_10_ms(void)
{
    sleep_ms(10);
}

TEST(a_wait_may_end_while_its_thread_is_paused)
{
    expect_wait_ends_while_paused(waits_for_ever, post_never, 0);
    expect_wait_ends_while_paused(waits_with_deadline, post_never, 0);
    expect_wait_ends_while_paused(waits_with_deadline, wait_10_ms, ERR_TIMEOUT);
    expect_wait_ends_while_paused(sleeps, wait_10_ms, 0);
    expect_wait_ends_while_paused(waits_for_notification, notify, 0);
    expect_wait_ends_while_paused(waits_for_notification_with_deadline, notify, 0);
    expect_wait_ends_while_paused(waits_for_notification_with_deadline, wait_10_ms, ERR_TIMEOUT);
}

TEST(a_wait_goes_on_when_its_thread_is_resumed)
{
    expect_wait_goes_on(waits_for_ever, post_never, 0);
    expect_wait_goes_on(waits_with_deadline, wait_10_ms, ERR_TIMEOUT);
    expect_wait_goes_on(waits_for_notification, notify, 0);
    expect_wait_goes_on(waits_for_notification_with_deadline, wait_10_ms, ERR_TIMEOUT);
    expect_wait_goes_on(waits_for_notification_with_deadline, notify, 0);
}

EVENT(pauses_tests_and_lets_less_urgent_resume)
{
    thread_pause(&tests);
}
static void resumes_tests(void)
{
    thread_resume(&tests);
}

TEST(an_event_pauses_the_thread_that_it_interrupts)
{
    run(&less_urgent, resumes_tests);
    event_post(&pauses_tests_and_lets_less_urgent_resume);
    thread_join(&less_urgent);
    expect_equal(tests.state, THREAD_READY);
}

TEST(a_priority_may_change)
{
    runs = 0;
    run(&less_urgent, counts);
    thread_set_priority(&less_urgent, PRIORITY_APP + 1);
    expect_equal(runs, 1);
    run(&less_urgent, counts); /* as declared again */
    expect_equal(runs, 1);
    thread_set_priority(&tests, PRIORITY_APP - 2);
    expect_equal(runs, 2);
    thread_set_priority(&tests, PRIORITY_APP);
}

TEST(a_priority_may_be_the_least_and_the_greatest)
{
    run(&more_urgent, waits_for_ever);
    thread_set_priority(&more_urgent, 1);
    expect_equal(more_urgent.priority, 1);
    thread_set_priority(&more_urgent, PRIORITY_MAX);
    expect_equal(more_urgent.priority, PRIORITY_MAX);
    thread_destroy(&more_urgent);
}

TEST(a_stopped_thread_keeps_its_declared_priority)
{
    runs = 0;
    thread_set_priority(&less_urgent, PRIORITY_APP + 1);
    run(&less_urgent, counts);
    expect_equal(runs, 0);
    thread_join(&less_urgent);
    expect_equal(runs, 1);
}

/* Threads made at run time. Where flash is apart, they have no declaration there. */
static THREAD_STACK(stack, SMALL_STACK);
static struct thread_created made = {
    .info = {.stack = stack, .stack_bytes = sizeof(stack), .name = "made"},
};
static const char *name;
static void *given;

static size_t never_used(void)
{
    size_t bytes = 0;
    while (stack[bytes] == 0xa5) {
        bytes++;
    }
    return bytes;
}

static void looks_at_itself(void *argument)
{
    given = argument;
    name = thread_name(thread_self());
    result = thread_info_of(thread_self()) == (ARCH_FLASH_IS_APART ? 0 : ARCH_FLASH_OF(&made.info));
    sleep_ms(2);
    runs++;
}

TEST(a_thread_is_made_and_used_up)
{
    runs = 0;
    made.info.entry = looks_at_itself;
    for (unsigned i = 1; i <= 3; i++) {
        made.info.priority = (uint8_t)(PRIORITY_APP - 1 + i % 3);
        expect_equal(thread_create(&made, &made), 0);
        thread_join(&made.thread);
        expect_equal(runs, i);
        expect(given == &made);
        expect_equal(result, 1);
        expect(same_text(name, "made"));
        expect(thread_info_of(&made.thread) == 0);
        size_t free = never_used();
        expect(free > 0 && free < sizeof(stack) - LEAST_USED);
        expect(ARCH_FLASH_IS_APART || thread_stack_free(ARCH_FLASH_OF(&made.info)) == free);
    }
    expect_equal(thread_create(&made, 0), 0);
    thread_destroy(&made.thread);
    sleep_ms(5);
    expect_equal(runs, 3);
    memset(stack, 0, sizeof(stack)); /* ours again */
    sleep_ms(1);
    thread_destroy(&made.thread); /* it has ended: no effect */
    for (unsigned i = 0; i < sizeof(stack); i++) {
        expect_equal(stack[i], 0);
    }
}

/* Its stack is too small to run: it is destroyed before it runs. */
TEST(a_thread_is_made_of_the_least_there_can_be)
{
    memset(stack, 1, sizeof(stack));
    made.info.stack_bytes = THREAD_STACK_MIN;
    made.info.priority = 1;
    expect_equal(thread_create(&made, 0), 0);
    expect_equal(stack[THREAD_STACK_MIN], 1); /* behind its stack */
    thread_destroy(&made.thread);
    made.info.stack_bytes = sizeof(stack);
    made.info.priority = PRIORITY_MAX;
    runs = 0;
    expect_equal(thread_create(&made, 0), 0);
    thread_join(&made.thread);
    expect_equal(runs, 1);
}

TEST(a_thread_is_not_made_of_nonsense)
{
    struct thread_created bad = made;
    bad.info.stack_bytes = THREAD_STACK_MIN - ARCH_STACK_ALIGN;
    expect_equal(thread_create(&bad, 0), ERR_INVALID);
    for (unsigned off = 1; off < ARCH_STACK_ALIGN; off *= 2) {
        bad.info.stack_bytes = (uint16_t)(sizeof(stack) - off);
        expect_equal(thread_create(&bad, 0), ERR_INVALID);
        bad.info.stack_bytes = sizeof(stack) - ARCH_STACK_ALIGN;
        bad.info.stack = stack + off;
        expect_equal(thread_create(&bad, 0), ERR_INVALID);
        bad.info.stack = stack;
    }
    bad.info.priority = PRIORITY_IDLE;
    expect_equal(thread_create(&bad, 0), ERR_INVALID);
    bad.info.priority = PRIORITY_MAX + 1;
    expect_equal(thread_create(&bad, 0), ERR_INVALID);
}

TEST(names_are_known)
{
    expect(same_text(thread_name(&tests), "tests"));
    expect(same_text(thread_name(&more_urgent), "more_urgent"));
}
