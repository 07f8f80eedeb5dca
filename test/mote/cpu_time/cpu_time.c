/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Which thread's cycles are counted. The least expected times are those of the loops' instructions;
 * the greatest allow for the kernel's own. */
#include <lichen/event.h>
#include <lichen/thread.h>
#include <lichen/time.h>
#include <lichen/timer.h>

#include "test.h"

enum {
    TURNS = 10000,
    TURN_CYCLES = 3, /* subtract, branch taken */
    LOOP_CYCLES = TURNS * TURN_CYCLES,
    NEAR = 2000,
    WAIT_CYCLES = 1200, /* at most, for a call with a deadline; no call waits for the slow clock,
                         * which takes 1,500 to answer */
    LINE_MS = 20,       /* in which a test's output is sent */
};

static void compute(unsigned turns)
{
    __asm__ volatile("1: sub %0, #1\n\tbne 1b" : "+l"(turns) : : "cc");
}

/* The first thread of all, to which the first switch is charged. */
THREAD(earliest, SMALL_STACK, PRIORITY_HIGH)
{
    compute(TURNS);
}

THREAD_STOPPED(one, SMALL_STACK, PRIORITY_LOW)
{
    compute(TURNS);
}

THREAD_STOPPED(two, SMALL_STACK, PRIORITY_LOW)
{
    compute(2 * TURNS);
}

THREAD_STOPPED(sleeper, SMALL_STACK, PRIORITY_HIGH)
{
    sleep_ms(20);
}

/* The console's interrupts are charged to the thread that they interrupt. */
static void quiet(void)
{
    sleep_ms(LINE_MS);
}

static uint64_t since(const struct thread *thread, uint64_t begin)
{
    return thread_cpu_cycles(thread) - begin;
}

static void expect_about(uint64_t cycles, unsigned expected)
{
    expect(cycles >= expected);
    expect(cycles < expected + NEAR);
}

TEST(the_first_run_counts)
{
    expect(thread_cpu_cycles(&earliest) >= LOOP_CYCLES);
}

TEST(who_computes_twice_as_long_has_twice_the_time)
{
    quiet();
    (void)thread_start(&one, 0);
    (void)thread_start(&two, 0);
    (void)thread_start(&sleeper, 0);
    thread_join(&one);
    thread_join(&two);
    thread_join(&sleeper);
    expect_about(thread_cpu_cycles(&one), LOOP_CYCLES);
    expect_about(thread_cpu_cycles(&two), 2 * LOOP_CYCLES);
    expect(thread_cpu_cycles(&sleeper) < WAIT_CYCLES);
}

TEST(a_run_is_added_to_those_before)
{
    quiet();
    uint64_t before = thread_cpu_cycles(&one);
    (void)thread_start(&one, 0);
    thread_join(&one);
    expect_about(since(&one, before), LOOP_CYCLES);
}

TEST(the_calling_thread_is_counted_up_to_the_call)
{
    quiet();
    uint64_t before = thread_cpu_cycles(thread_self());
    compute(TURNS);
    expect_about(since(thread_self(), before), LOOP_CYCLES);
}

TEST(who_waits_is_not_counted)
{
    quiet();
    uint64_t before = thread_cpu_cycles(thread_self());
    sleep_ms(50);
    expect(since(thread_self(), before) < WAIT_CYCLES);
}

EVENT(long_event)
{
    compute(TURNS);
}

TEST(an_event_is_counted_with_the_thread_that_it_interrupts)
{
    quiet();
    uint64_t before = thread_cpu_cycles(thread_self());
    event_post(&long_event);
    expect_about(since(thread_self(), before), LOOP_CYCLES);
}

static volatile bool rang;
EVENT(bell)
{
    rang = true;
}
TIMER(bell_timer, bell);

TEST(arming_a_timer_does_not_wait_for_the_clock)
{
    quiet();
    uint64_t before = thread_cpu_cycles(thread_self());
    expect_equal(timer_arm_after(&bell_timer, 5000), 0);
    expect(since(thread_self(), before) < WAIT_CYCLES);
    sleep_ms(10);
    expect(rang);
}

enum {
    YIELDS = 3,
};

/* Each shorter than a slice, so that only yielding switches. */
static void compute_and_yield(unsigned turns)
{
    for (unsigned i = 0; i < YIELDS; i++) {
        compute(turns);
        thread_yield();
    }
}

THREAD_STOPPED(long_pieces, SMALL_STACK, PRIORITY_LOW)
{
    compute_and_yield(TURNS);
}

THREAD_STOPPED(short_pieces, SMALL_STACK, PRIORITY_LOW)
{
    compute_and_yield(TURNS / 2);
}

TEST(who_yields_is_counted_up_to_that)
{
    quiet();
    (void)thread_start(&long_pieces, 0);
    (void)thread_start(&short_pieces, 0);
    thread_join(&long_pieces);
    thread_join(&short_pieces);
    expect_about(thread_cpu_cycles(&long_pieces), YIELDS * LOOP_CYCLES);
    expect_about(thread_cpu_cycles(&short_pieces), YIELDS * LOOP_CYCLES / 2);
}

static uint64_t seen;

EVENT(looks)
{
    seen = thread_cpu_cycles(&two);
}

TEST(an_event_may_look)
{
    event_post(&looks);
    expect_equal((int64_t)seen, (int64_t)thread_cpu_cycles(&two));
}

TEST(microseconds_are_cycles_of_the_clock)
{
    expect_equal((int64_t)thread_cpu_us(&two), (int64_t)(thread_cpu_cycles(&two) / 8));
}

static THREAD_STACK(made_stack, 256);
static struct thread_created made;

static void made_thread(void *argument)
{
    (void)argument;
    compute(TURNS);
}

TEST(a_made_thread_begins_with_nothing)
{
    quiet();
    for (int run = 0; run < 2; run++) {
        made.info = (struct thread_info){.entry = made_thread,
                                         .stack = made_stack,
                                         .stack_bytes = sizeof(made_stack),
                                         .name = "made",
                                         .priority = PRIORITY_LOW};
        expect_equal(thread_create(&made, 0), 0);
        thread_join(&made.thread);
        expect_about(thread_cpu_cycles(&made.thread), LOOP_CYCLES);
    }
}

/* The counter is set near half and near the end of its range; the jump is charged to this thread.
 */
#define TC4_COUNT (*(volatile uint32_t *)0x42003010u)

static void over(uint32_t count)
{
    TC4_COUNT = count - LOOP_CYCLES / 2;
    uint64_t before = thread_cpu_cycles(thread_self());
    compute(TURNS);
    expect_about(since(thread_self(), before), LOOP_CYCLES);
}

TEST(the_counter_wraps_unseen)
{
    quiet();
    over(0x80000000u);
    over(0);
}

TEST(a_count_passes_32_bits)
{
    quiet();
    uint64_t before = UINT32_MAX - LOOP_CYCLES / 2;
    one.cpu_time.cycles = before;
    (void)thread_start(&one, 0);
    thread_join(&one);
    expect_about(since(&one, before), LOOP_CYCLES);
}
