/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Threads: which one runs when. The tests' own thread has PRIORITY_APP. */
#include <string.h>

#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "test.h"

extern struct thread tests, idle;

/* Started by the kernel, which passes no argument. */
static void *handed_over = (void *)1;

THREAD(told_nothing, TINY_STACK, PRIORITY_APP + 1)
{
    handed_over = argument;
}

TEST(a_declared_thread_begins_with_0)
{
    expect_equal(told_nothing.state, THREAD_STOPPED);
    expect(handed_over == 0);
}

/* What ran, one letter per thread. */
static char order[32];
static unsigned length;

static void ran(char letter)
{
    if (length < sizeof(order) - 1) {
        order[length++] = letter;
    }
}

static void forget(void)
{
    memset(order, 0, sizeof(order));
    length = 0;
}

SEMAPHORE(go_high, 0);
SEMAPHORE(go_low, 0);

THREAD(high, SMALL_STACK, PRIORITY_APP + 1)
{
    for (;;) {
        semaphore_wait(&go_high);
        ran('h');
    }
}

THREAD(low, SMALL_STACK, PRIORITY_APP - 1)
{
    for (;;) {
        semaphore_wait(&go_low);
        ran('l');
    }
}

/* Four threads of the tests' priority; each yields between two letters. */
SEMAPHORE(go_equal, 0);

static void take_turns(char letter)
{
    for (;;) {
        semaphore_wait(&go_equal);
        ran(letter);
        thread_yield();
        ran(letter);
    }
}

THREAD(equal_1, TINY_STACK, PRIORITY_APP)
{
    take_turns('1');
}

THREAD(equal_2, TINY_STACK, PRIORITY_APP)
{
    take_turns('2');
}

THREAD(equal_3, TINY_STACK, PRIORITY_APP)
{
    take_turns('3');
}

THREAD(equal_4, TINY_STACK, PRIORITY_APP)
{
    take_turns('4');
}

TEST(a_more_urgent_thread_runs_at_once)
{
    forget();
    semaphore_post(&go_high);
    ran('t');
    expect(strcmp(order, "ht") == 0);
}

TEST(a_less_urgent_thread_waits_until_nobody_else_is_ready)
{
    forget();
    semaphore_post(&go_low);
    ran('t');
    thread_yield();
    ran('t');
    expect(strcmp(order, "tt") == 0);
    sleep_ms(1);
    expect(strcmp(order, "ttl") == 0);
}

static void yield_beside(unsigned equals)
{
    forget();
    for (unsigned i = 0; i < equals; i++) {
        semaphore_post(&go_equal);
    }
    expect_equal(length, 0);
    thread_yield();
    ran('t');
    thread_yield();
}

TEST(equals_take_turns_by_yielding)
{
    sleep_ms(1); /* all wait now, in the order of their start */
    yield_beside(4);
    expect(strcmp(order, "1234t1234") == 0);
    sleep_ms(1);
    yield_beside(2);
    expect(strcmp(order, "12t12") == 0);
}

TEST(yield_alone_comes_back)
{
    forget();
    thread_yield();
    expect_equal(length, 0);
}

/* Threads that compute and never wait, which only the end of a slice can interrupt. */
static volatile bool computing;
static volatile uint32_t rounds[2];

SEMAPHORE(go_compute, 0);

static void compute(unsigned number)
{
    for (;;) {
        semaphore_wait(&go_compute);
        while (computing) {
            rounds[number]++;
        }
    }
}

THREAD(computes_one, SMALL_STACK, PRIORITY_APP - 1)
{
    compute(0);
}

THREAD(computes_two, SMALL_STACK, PRIORITY_APP - 1)
{
    compute(1);
}

TEST(equals_that_compute_share_the_processor)
{
    computing = true;
    semaphore_post(&go_compute);
    semaphore_post(&go_compute);
    sleep_ms(100); /* ten slices each */
    computing = false;
    uint32_t first = rounds[0], second = rounds[1];
    expect(first > 0 && second > 0);
    uint32_t more = first > second ? first : second;
    uint32_t less = first > second ? second : first;
    /* An uneven number of slices in 100 ms leaves a difference of one slice. */
    expect(more - less <= more / 8);
    sleep_ms(1);
}

TEST(turns_never_go_to_a_less_urgent_thread)
{
    rounds[0] = 0;
    computing = true;
    semaphore_post(&go_compute);
    uint64_t end = time_now_us() + 20 * TIME_US_PER_MS;
    while (time_now_us() < end) {
    }
    expect_equal(rounds[0], 0);
    computing = false;
    sleep_ms(1);
}

TEST(a_thread_knows_itself_and_its_declaration)
{
    expect(thread_self() == &tests);
    const ARCH_FLASH struct thread_info *info = thread_info_of(&high);
    expect(info != 0);
    expect(same_text(info->name, "high"));
    expect_equal(info->priority, PRIORITY_APP + 1);
    expect_equal(info->stack_bytes, SMALL_STACK);
}

/* Here no thread is made at run time. */
THREAD_STOPPED(odd, SMALL_STACK + 1, PRIORITY_APP)
{
}

TEST(a_stack_is_never_smaller_than_declared)
{
    const ARCH_FLASH struct thread_info *info = thread_info_of(&odd);
    expect_equal(info->stack_bytes, SMALL_STACK + ARCH_STACK_ALIGN);
    expect_equal((uintptr_t)info->stack % ARCH_STACK_ALIGN, 0);
}

TEST(the_idle_thread_has_no_declaration)
{
    expect(thread_info_of(&idle) == 0);
}

TEST(states_tell_who_waits)
{
    expect_equal(tests.state, THREAD_READY);
    expect_equal(high.state, THREAD_WAITING);
    expect(high.syscall != 0);
}

TEST(a_stack_keeps_its_mark)
{
    const ARCH_FLASH struct thread_info *info = thread_info_of(&high);
    size_t free = thread_stack_free(info);
    expect(free > 0);
    expect(free <= SMALL_STACK - LEAST_USED);
}

/* Registers that a switch must preserve: each thread fills all of them with its own values, but for
 * the frame pointer of AVR. */
#define KEEPS_REGISTERS(seed, statement)                                                           \
    __extension__({                                                                                \
        unsigned v4 = (seed) + 4, v5 = (seed) + 5, v6 = (seed) + 6, v7 = (seed) + 7;               \
        unsigned v8 = (seed) + 8, v9 = (seed) + 9, v10 = (seed) + 10, v11 = (seed) + 11;           \
        __asm__ volatile("" : "+r"(v4), "+r"(v5), "+r"(v6), "+r"(v7));                             \
        __asm__ volatile("" : "+r"(v8), "+r"(v9), "+r"(v10), "+r"(v11));                           \
        statement;                                                                                 \
        __asm__ volatile("" : "+r"(v4), "+r"(v5), "+r"(v6), "+r"(v7));                             \
        __asm__ volatile("" : "+r"(v8), "+r"(v9), "+r"(v10), "+r"(v11));                           \
        v4 == (seed) + 4 && v5 == (seed) + 5 && v6 == (seed) + 6 && v7 == (seed) + 7 &&            \
            v8 == (seed) + 8 && v9 == (seed) + 9 && v10 == (seed) + 10 && v11 == (seed) + 11;      \
    })

static volatile bool mixed_up;
static volatile unsigned switches;
SEMAPHORE(go_registers, 0);

THREAD(registers, MEDIUM_STACK, PRIORITY_APP)
{
    semaphore_wait(&go_registers);
    for (unsigned i = 0;; i += 100) {
        mixed_up |= !KEEPS_REGISTERS(i, thread_yield());
        switches++;
    }
}

TEST(registers_survive_yielding_and_turns)
{
    semaphore_post(&go_registers);
    for (unsigned i = 7; i < 10000; i += 100) {
        expect(KEEPS_REGISTERS(i, thread_yield()));
    }
    expect(switches > 50);
    uint64_t end = time_now_us() + 50 * TIME_US_PER_MS;
    unsigned kept = 0;
    while (time_now_us() < end) {
        kept += KEEPS_REGISTERS(kept, for (volatile unsigned n = 0; n < 1000; n++){});
    }
    expect(kept > 5);
    expect(!mixed_up);
}
