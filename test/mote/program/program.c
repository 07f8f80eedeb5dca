/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Programs that were loaded, with a test in place of the loader. */
#include <string.h>

#include <lichen/assert.h>
#include <lichen/notify.h>
#include <lichen/panic.h>
#include <lichen/time.h>

#include "helper.h"
#include "played.h"

extern struct thread tests;

/* What an image names that exports messages to programs. */
__asm__(".global syslog_adjust_of_programs");

SEMAPHORE(never, 0);
MUTEX(of_image);

static volatile unsigned runs;
static volatile int result;

static struct thread *first_of(struct played *played)
{
    return OBJECT(played, first);
}
static struct thread *second_of(struct played *played)
{
    return OBJECT(played, second);
}

static void counts(void)
{
    runs++;
}
static void waits_for_ever(void)
{
    semaphore_wait(&never);
    runs += 100;
}

static void begin(void)
{
    runs = 0;
    starts = 0;
    ends = 0;
    ended = 0;
    result = -1;
}

TEST(a_program_runs_until_its_thread_returns)
{
    begin();
    play(&one, counts, 0);
    expect_equal(runs, 1);
    expect_equal(starts, 1);
    expect_equal(ends, 1);
    expect(ended == &one.program);
    expect(!program_runs(&one.program));
    expect_equal(first_of(&one)->state, THREAD_STOPPED);
}

TEST(its_memory_has_its_initial_values)
{
    static const uint8_t data[8] = {0, 0, 0, 1, 2, 3, 4, 5};
    const struct objects *objects = (const struct objects *)(void *)one.objects;

    begin();
    memset(one.data, 0xff, sizeof(one.data));
    memset(one.objects, 0xff, PLAYED_OBJECTS);
    play(&one, waits_for_ever, 0);
    expect_equal(objects->gate.count, 0);
    expect_equal(objects->filled[0], 0);
    expect_equal(objects->filled[1], 0x5a);
    expect_equal(objects->filled[6], 0x5a);
    expect_equal(objects->filled[7], 0);
    expect(memcmp(one.data, data, sizeof(data)) == 0);
    expect_equal(one.data[PLAYED_DATA - 1], 0);
    expect_equal(program_run(&one.program), ERR_BUSY);
    program_stop(&one.program);
    expect_equal(runs, 0);
    expect_equal(ends, 1);
}

static unsigned threads_named(const char *name)
{
    struct thread_view view;
    unsigned found = 0;

    for (unsigned i = 0; thread_look(i, &view) == 0; i++) {
        found += same_text(view.name, name);
    }
    return found;
}

TEST(two_run_at_once_and_their_tables_are_found)
{
    begin();
    play(&one, waits_for_ever, 0);
    play(&two, waits_for_ever, 0);
    expect_equal(threads_named("one_first"), 1);
    expect_equal(threads_named("one_second"), 1);
    expect_equal(threads_named("two_first"), 1);
    expect_equal(threads_named("tests"), 1);
    expect_equal(threads_named("idle"), 1);
    expect_equal(threads_named("kernel"), 1);
    expect(thread_info_of(first_of(&two)) != 0);
    expect(thread_info_of(&tests) != 0);
    expect_equal(syslog_adjust("two_module", LOG_ERR), 0);
    expect_equal((int8_t)two.data[0], LOG_ERR);
    expect(program_runs(&one.program));
    program_stop(&one.program);
    expect_equal(ends, 1);
    expect_equal(threads_named("one_first"), 0);
    expect_equal(threads_named("two_first"), 1);
    expect(thread_info_of(first_of(&one)) == 0);
    expect_equal(syslog_adjust("one_module", LOG_ERR), ERR_EMPTY);
    program_stop(&one.program); /* has no effect */
    program_stop(&two.program);
    expect_equal(ends, 2);
    expect_equal(threads_named("two_first"), 0);
    expect_equal(threads_named("tests"), 1);
    expect_equal(runs, 0);
}

/* -------- how threads end */

static void starts_the_other(void)
{
    result = thread_start(second_of(&one), 0);
    thread_exit();
}
static void counts_later(void)
{
    runs++;
    sleep_ms(2);
    runs++;
}

TEST(it_ends_with_the_last_thread)
{
    begin();
    play(&one, starts_the_other, counts_later);
    expect_equal(result, 0);
    expect_equal(runs, 1);
    expect_equal(ends, 0);
    expect(program_runs(&one.program));
    sleep_ms(5);
    expect_equal(runs, 2);
    expect_equal(ends, 1);
    expect(!program_runs(&one.program));
}

static void destroys_itself(void)
{
    thread_destroy(thread_self());
    runs++;
}

TEST(it_ends_with_a_thread_that_is_destroyed)
{
    begin();
    play(&one, destroys_itself, 0);
    expect_equal(ends, 1);
    play(&one, waits_for_ever, 0);
    thread_destroy(first_of(&one));
    expect_equal(ends, 2);
    expect_equal(runs, 0);
    expect_equal(semaphore_try(&never), ERR_EMPTY);
}

static void stops_itself(void)
{
    program_stop(&one.program);
    runs++;
}

TEST(a_program_stops_itself)
{
    begin();
    play(&one, stops_itself, 0);
    expect_equal(ends, 1);
    expect_equal(runs, 0);
    play(&one, counts, 0);
    expect_equal(runs, 1);
    expect_equal(ends, 2);
}

static void waits_at_the_gate(void)
{
    runs++;
    result = semaphore_wait_until(OBJECT(&one, gate), time_now_us() + 3 * TIME_US_PER_MS);
    runs += 100;
}
static void starts_another_that_waits(void)
{
    (void)thread_start(second_of(&one), 0);
    waits_at_the_gate();
}

TEST(what_its_threads_wait_for_is_forgotten)
{
    begin();
    play(&one, starts_another_that_waits, waits_at_the_gate);
    expect_equal(runs, 2);
    program_stop(&one.program);
    expect_equal(ends, 1);
    memset(one.objects, 0xa5, sizeof(one.objects)); /* nothing of the kernel's is in it */
    sleep_ms(6);
    expect_equal(runs, 2);
}

/* -------- mutexes */

static void locks_and_waits(void)
{
    (void)mutex_lock(OBJECT(&one, lock));
    (void)thread_start(second_of(&one), 0);
    runs++;
    semaphore_wait(&never);
    mutex_unlock(OBJECT(&one, lock));
    runs += 100;
}
static void locks(void)
{
    result = mutex_lock(OBJECT(&one, lock));
    mutex_unlock(OBJECT(&one, lock));
    runs++;
}

TEST(priority_is_inherited_inside_a_program)
{
    begin();
    play(&one, locks_and_waits, locks);
    expect_equal(runs, 1);
    expect_equal(first_of(&one)->priority, PRIORITY_APP + 2);
    thread_set_priority(second_of(&one), PRIORITY_APP + 5);
    expect_equal(first_of(&one)->priority, PRIORITY_APP + 5);
    expect_equal(semaphore_post(&never), 0);
    expect_equal(result, 0);
    expect_equal(runs, 102);
    expect_equal(ends, 1);
}

TEST(a_mutex_is_abandoned_inside_a_program)
{
    begin();
    play(&one, locks_and_waits, locks);
    thread_destroy(first_of(&one));
    expect_equal(result, ERR_ABANDONED);
    expect_equal(runs, 2);
    expect_equal(ends, 1);
}

TEST(a_program_is_stopped_while_its_threads_contend)
{
    begin();
    play(&one, locks_and_waits, locks);
    play(&two, waits_for_ever, 0);
    program_stop(&one.program);
    expect_equal(ends, 1);
    expect_equal(runs, 1);
    expect_equal(second_of(&one)->state, THREAD_STOPPED);
    memset(one.objects, 0xa5, sizeof(one.objects));
    expect_equal(mutex_lock(&of_image), 0);
    mutex_unlock(&of_image);
    program_stop(&two.program);
    expect_equal(ends, 2);
}

static void locks_one_of_the_image(void)
{
    (void)mutex_lock(&of_image);
    semaphore_wait(&never);
}

TEST(a_mutex_of_the_image_is_passed_on)
{
    begin();
    play(&one, locks_one_of_the_image, 0);
    expect_equal(mutex_lock_until(&of_image, 0), ERR_TIMEOUT);
    program_stop(&one.program);
    expect_equal(mutex_lock(&of_image), ERR_ABANDONED);
    mutex_unlock(&of_image);
}

/* -------- programs that fail */

static void expect_failed(struct played *played, enum panic_reason reason, const char *name)
{
    const struct program_crash *crash = program_crash_look();

    expect(crash != 0);
    expect_equal(crash->record.reason, reason);
    expect_equal(crash->slot, played->program.slot);
    expect(crash->header == played->program.header);
    expect(same_text(crash->thread, name));
    expect_equal(played->program.failed, reason);
    expect(!program_runs(&played->program));
    expect_equal(runs, 0);
    expect(program_remains.panicked != PROGRAM_PANICKED); /* the mote has not */
    program_crash_forget();
    expect(program_crash_look() == 0);
}

static void fails(void)
{
    assert(runs == 1);
    runs++;
}
static void panics(void)
{
    panic(77);
}
static void holds_and_fails(void)
{
    (void)mutex_lock(&of_image);
    fails();
}

TEST(a_program_that_fails_is_stopped)
{
    begin();
    play(&two, waits_for_ever, 0);
    play(&one, fails, 0);
    expect_equal(ends, 1);
    expect_failed(&one, PANIC_ASSERT, "one_first");
    play(&one, panics, 0);
    expect_equal(program_crash_look()->record.detail, 77);
    expect(program_crash_look()->record.pc != 0);
    expect_failed(&one, PANIC_ASSERT, "one_first");
    play(&one, holds_and_fails, 0);
    expect_failed(&one, PANIC_ASSERT, "one_first");
    expect_equal(mutex_lock(&of_image), ERR_ABANDONED);
    mutex_unlock(&of_image);
    expect_equal(ends, 3);
    expect(program_runs(&two.program));
    program_stop(&two.program);
    expect(panic_last() == 0);
}

static void other_fails(void)
{
    (void)thread_start(second_of(&one), 0);
    runs += 100;
}

TEST(it_is_stopped_with_all_its_threads)
{
    begin();
    play(&one, other_fails, fails);
    expect_equal(ends, 1);
    expect_failed(&one, PANIC_ASSERT, "one_second");
}

/* The first thread's stack lies above the second one's, which is not used here. */
static __attribute__((noinline)) void fill(volatile uint8_t *bytes)
{
    for (unsigned i = 0; i < PLAYED_STACK; i++) {
        bytes[i] = 1;
    }
}
static void overflows(void)
{
    volatile uint8_t bytes[PLAYED_STACK];

    fill(bytes);
    thread_yield();
    semaphore_wait(&never);
    runs++;
}
static void overflows_and_notifies(void)
{
    volatile uint8_t bytes[PLAYED_STACK];

    fill(bytes);
    sleep_ms(1);
    runs++;
}

TEST(a_program_whose_stack_overflows_is_stopped)
{
    begin();
    play(&two, waits_for_ever, 0);
    play(&one, overflows, 0);
    expect_equal(ends, 1);
    expect_failed(&one, PANIC_STACK, "one_first");
    play(&one, overflows_and_notifies, 0);
    expect_equal(ends, 2);
    expect_failed(&one, PANIC_STACK, "one_first");
    sleep_ms(3);
    program_stop(&two.program);
    expect_equal(ends, 3);
}

NOTIFY(notified);

static void overflows_and_is_notified(void)
{
    volatile uint8_t bytes[PLAYED_STACK];

    fill(bytes);
    notify_wait(&notified);
    runs++;
}
static void overflows_and_pauses(void)
{
    volatile uint8_t bytes[PLAYED_STACK];

    fill(bytes);
    thread_pause(thread_self());
    runs++;
}

TEST(whatever_finds_the_overflow)
{
    begin();
    play(&one, overflows_and_is_notified, 0);
    expect_failed(&one, PANIC_STACK, "one_first");
    notify_post(&notified);
    expect_equal(notify_wait_until(&notified, 0), 0);
    play(&one, overflows_and_pauses, 0);
    expect_failed(&one, PANIC_STACK, "one_first");
    expect_equal(ends, 2);
}

static volatile bool is_over;
static volatile unsigned turns;

static void yields(void)
{
    while (!is_over) {
        turns++;
        thread_yield();
    }
}

HELPER(equal, PRIORITY_APP + 1)
HELPER(another, PRIORITY_APP)

static void overflows_among_equals(void)
{
    run(&equal, yields);
    overflows();
}

/* The one that has failed is behind its equals then, and these go on. */
TEST(equals_of_a_program_that_fails_go_on)
{
    begin();
    is_over = false;
    turns = 0;
    run(&another, counts);
    play(&two, counts_later, 0);
    runs = 0;
    sleep_ms(5);
    runs = 0;
    steps[0][0] = overflows_among_equals;
    thread_set_priority(&tests, PRIORITY_APP + 3);
    play(&one, overflows_among_equals, 0);
    play(&two, yields, 0);
    sleep_ms(2);
    expect_equal(ends, 2);
    expect_failed(&one, PANIC_STACK, "one_first");
    unsigned before = turns;
    sleep_ms(2);
    expect(turns - before > 2);
    expect_equal(equal.state, THREAD_READY);
    is_over = true;
    sleep_ms(2);
    thread_set_priority(&tests, PRIORITY_APP);
    expect_equal(ends, 3);
    expect_equal(equal.state, THREAD_STOPPED);
}

TEST(time_goes_on_behind_all_that)
{
    begin();
    play(&one, counts_later, 0);
    sleep_ms(10);
    expect_equal(runs, 2);
    expect_equal(ends, 1);
}
