/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A thread gives to a waiting thread of equal priority: the giver continues until its slice is
 * over, and a slice has its full length whether or not the slice timer ran when it gave.
 *
 * Both count rounds of one loop, as a measure of processor time. The taker runs for one slice,
 * which begins when the giver's ends, and ends when the giver's next one begins.
 */
#include <lichen/notify.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "test.h"

#define EQUAL (PRIORITY_APP - 2)

SEMAPHORE(given, 0);
static volatile bool never, awake, over;
static volatile uint32_t before; /* rounds that the giver computes before it gives */
static volatile uint32_t rest;   /* and between giving and the taker's slice */
static volatile uint32_t slice;  /* rounds of the taker's slice */
static volatile bool is_interrupted;

static __attribute__((noinline)) uint32_t rounds_until(const volatile bool *flag, uint32_t most)
{
    uint32_t rounds = 0;
    while (!*flag && rounds < most) {
        rounds++;
    }
    return rounds;
}

THREAD_STOPPED(taker, SMALL_STACK, EQUAL)
{
    semaphore_wait(&given);
    awake = true;
    slice = rounds_until(&over, UINT32_MAX);
}

/* Has the giver's priority; shares slices with it until paused. */
THREAD_STOPPED(company, SMALL_STACK, EQUAL)
{
    (void)rounds_until(&over, UINT32_MAX);
}
/* More urgent. If it has company, too, a slice of its own begins, and the timer keeps running. */
static volatile bool have_slices;
THREAD_STOPPED(urgent_company, SMALL_STACK, EQUAL + 1)
{
}
NOTIFY(interrupt_slice);
THREAD_STOPPED(pauses_company, SMALL_STACK, EQUAL + 1)
{
    notify_wait(&interrupt_slice);
    thread_pause(&company);
    if (have_slices) {
        int error = thread_start(&urgent_company, 0);
        expect_equal(error, 0);
    }
}

THREAD_STOPPED(giver, SMALL_STACK, EQUAL)
{
    (void)rounds_until(&never, before);
    if (is_interrupted) {
        notify_post(&interrupt_slice);
    }
    semaphore_post(&given);
    rest = rounds_until(&awake, UINT32_MAX);
    over = true;
}

static void start(struct thread *thread)
{
    int error = thread_start(thread, 0);
    expect_equal(error, 0);
}

/* The last test's output has been sent by then: interrupts count as computing time. */
static void let_console_rest(void)
{
    sleep_ms(50);
}

/* The taker is the first one, and leaves the timer running when it waits. */
static void give_after(uint32_t rounds)
{
    awake = over = false;
    before = rounds;
    start(&taker);
    start(&giver);
    sleep_ms(100);
    expect(over && taker.state == THREAD_STOPPED);
}

/* Within a 16th: the switch from one to the other counts, too. */
static void expect_about(uint32_t rounds, uint32_t wanted)
{
    expect(rounds > wanted - wanted / 16 && rounds < wanted + wanted / 16);
}

TEST(who_gives_to_an_equal_has_a_slice_from_then_on)
{
    let_console_rest();
    is_interrupted = false;
    give_after(0);
    uint32_t whole = slice;
    expect(whole > 100);
    expect_about(rest, whole);
    give_after(whole / 2); /* the timer runs */
    expect_about(slice, whole);
    expect_about(rest, whole);
    give_after(whole * 2); /* it ran out */
    expect_about(slice, whole);
    expect_about(rest, whole);
}

static void expect_rest_of_slice(uint32_t whole)
{
    start(&pauses_company);
    awake = over = false;
    before = whole / 2;
    start(&taker);
    start(&giver);
    start(&company);
    sleep_ms(100);
    expect(over);
    expect_about(slice, whole);
    expect_about(rest + before, whole);
    thread_destroy(&company);
}

TEST(who_gives_to_an_equal_amid_a_slice_has_what_is_left_of_it)
{
    let_console_rest();
    is_interrupted = false;
    give_after(0);
    uint32_t whole = slice;
    is_interrupted = true;
    have_slices = false;
    expect_rest_of_slice(whole);
    have_slices = true;
    expect_rest_of_slice(whole);
}
