/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Everything that can end a program, one case after another: each leaves its record and restarts
 * the mote, and the next start checks what the previous one left.
 *
 * A word that start-up does not touch counts the starts. After power-on its value is random, so the
 * first start is recognised by its cause.
 */
#include <lichen/assert.h>
#include <lichen/event.h>
#include <lichen/panic.h>
#include <lichen/reset.h>
#include <lichen/thread.h>
#include <lichen/time.h>
#include <lichen/timer.h>

#include "software_interrupt.h"
#include "test.h"
#include "ways.h"

static __attribute__((section(".noinit"))) unsigned start;
static __attribute__((section(".noinit"))) unsigned went_on; /* in this way */

#define PENDSV_VECTOR 14u

/* SERCOM0, the console's port on both boards. */
#define CONSOLE_CTRLA (*(volatile uint32_t *)0x42000800)

void returned(void)
{
    went_on = start;
}

static void fail_assertion(void)
{
    assert(start == 0);
}

static void call_panic(void)
{
    panic(0x1234);
}

/* The report is not sent. */
static void panic_without_port(void)
{
    CONSOLE_CTRLA = 0;
    panic(0);
}

__attribute__((noinline)) void fault_here(void)
{
    *NOWHERE = 1;
}

EVENT(faults)
{
    fault_here();
}
TIMER(faults_later, faults);

static void fault_in_event(void)
{
    event_post(&faults);
}

/* While no thread runs. */
void fault_soon(void)
{
    expect(timer_arm_after(&faults_later, 1000) == 0);
}

/* Through a pointer that is read from address 4, where the reset vector is. */
void reset_handler(void);
static __attribute__((noinline)) void start_again(void)
{
    reset_handler();
    returned();
}

EVENT(starts_again)
{
    start_again();
}

static void start_again_in_event(void)
{
    event_post(&starts_again);
}

/* A timer in memory that was not cleared seems armed. */
static void cancel_what_is_not_armed(void)
{
    static struct timer lost;
    expect(timer_arm_after(&faults_later, 5000000) == 0);
    lost.deadline.expire = faults_later.deadline.expire;
    (void)timer_cancel(&lost);
    returned();
}

/* Each way, and what its record must say. */
static const struct way {
    void (*end)(void);
    struct thread *thread;
    uint32_t reason;
    uint32_t detail;
    bool any_detail;
    bool in_handler;
    void (*within)(void); /* a short function that has the place, if any */
} ways[] = {
    {.end = fail_assertion, .thread = &tests, .reason = PANIC_ASSERT},
    {.end = call_panic, .thread = &tests, .reason = PANIC_ASSERT, .detail = 0x1234},
    {.end = fault_here,
     .thread = &tests,
     .reason = PANIC_FAULT,
     .any_detail = true,
     .within = fault_here},
    {.end = overflow, .thread = &goes_deep, .reason = PANIC_STACK, .any_detail = true},
    {.end = wait_in_event,
     .thread = &tests,
     .reason = PANIC_CONTEXT,
     .detail = PENDSV_VECTOR,
     .in_handler = true},
    {.end = interrupt_without_handler,
     .thread = &tests,
     .reason = PANIC_INTERRUPT,
     .detail = 16 + SOFTWARE_LINE_0 + 1,
     .in_handler = true},
    {.end = fault_in_event,
     .thread = &tests,
     .reason = PANIC_FAULT,
     .any_detail = true,
     .in_handler = true,
     .within = fault_here},
    {.end = overflow_kernel_stack,
     .thread = &idle,
     .reason = PANIC_KERNEL_STACK,
     .any_detail = true,
     .in_handler = true},
    {.end = sleep_in_event,
     .thread = &tests,
     .reason = PANIC_CONTEXT,
     .detail = PENDSV_VECTOR,
     .in_handler = true},
    {.end = yield_in_handler,
     .thread = &tests,
     .reason = PANIC_CONTEXT,
     .detail = 16 + SOFTWARE_LINE_0,
     .in_handler = true},
    {.end = lock_twice, .thread = &tests, .reason = PANIC_ASSERT, .in_handler = true},
    {.end = unlock_for_another,
     .thread = &unlocks_for_another,
     .reason = PANIC_ASSERT,
     .in_handler = true},
    {.end = unlock_what_is_free, .thread = &tests, .reason = PANIC_ASSERT, .in_handler = true},
    {.end = lock_in_event,
     .thread = &tests,
     .reason = PANIC_CONTEXT,
     .detail = PENDSV_VECTOR,
     .in_handler = true},
    {.end = lock_undeclared,
     .thread = &locks_undeclared,
     .reason = PANIC_ASSERT,
     .in_handler = true},
    {.end = join_oneself, .thread = &tests, .reason = PANIC_ASSERT, .in_handler = true},
    {.end = make_twice, .thread = &tests, .reason = PANIC_ASSERT, .in_handler = true},
    {.end = become_idle, .thread = &tests, .reason = PANIC_ASSERT},
    {.end = give_back_too_often, .thread = &tests, .reason = PANIC_ASSERT, .in_handler = true},
    {.end = send_at_another_level, .thread = &tests, .reason = PANIC_ASSERT, .in_handler = true},
    {.end = exceed_priorities, .thread = &tests, .reason = PANIC_ASSERT},
    {.end = wait_without_mutex, .thread = &tests, .reason = PANIC_ASSERT, .in_handler = true},
    {.end = wait_with_mutex_of_another,
     .thread = &waits_with_lock_of_tests,
     .reason = PANIC_ASSERT,
     .in_handler = true},
    {.end = wait_as_second, .thread = &tests, .reason = PANIC_ASSERT, .in_handler = true},
    {.end = list_leads_nowhere,
     .thread = &idle,
     .reason = PANIC_FAULT,
     .any_detail = true,
     .in_handler = true,
     .within = fault_here},
    {.end = list_leads_between_words,
     .thread = &idle,
     .reason = PANIC_FAULT,
     .any_detail = true,
     .in_handler = true,
     .within = fault_here},
    {.end = list_is_a_circle,
     .thread = &idle,
     .reason = PANIC_FAULT,
     .any_detail = true,
     .in_handler = true,
     .within = fault_here},
    {.end = name_leads_nowhere, .thread = &nameless.thread, .reason = PANIC_ASSERT},
    {.end = name_has_no_end, .thread = &nameless.thread, .reason = PANIC_ASSERT},
    {.end = panic_without_port, .thread = &tests, .reason = PANIC_ASSERT},
    {.end = overflow_and_stay, .thread = &stays_deep, .reason = PANIC_STACK, .any_detail = true},
    {.end = wait_for_what_is_there_in_event,
     .thread = &tests,
     .reason = PANIC_CONTEXT,
     .detail = PENDSV_VECTOR,
     .in_handler = true},
    {.end = wait_as_second_until, .thread = &tests, .reason = PANIC_ASSERT, .in_handler = true},
    {.end = overflow_and_wait, .thread = &calls_deep, .reason = PANIC_STACK, .any_detail = true},
    {.end = overflow_and_wait_for_notification,
     .thread = &calls_deep,
     .reason = PANIC_STACK,
     .any_detail = true},
    {.end = overflow_and_wake, .thread = &calls_deep, .reason = PANIC_STACK, .any_detail = true},
    {.end = overflow_and_notify, .thread = &calls_deep, .reason = PANIC_STACK, .any_detail = true},
    {.end = overflow_and_pause, .thread = &calls_deep, .reason = PANIC_STACK, .any_detail = true},
    {.end = overflow_and_exit, .thread = &calls_deep, .reason = PANIC_STACK, .any_detail = true},
    {.end = overflow_and_yield, .thread = &yields_deep, .reason = PANIC_STACK, .any_detail = true},
    {.end = wait_at_the_end,
     .thread = &waits_at_the_end,
     .reason = PANIC_STACK,
     .any_detail = true},
    {.end = start_again, .thread = &tests, .reason = PANIC_FAULT, .within = start_again},
    {.end = start_again_in_event,
     .thread = &tests,
     .reason = PANIC_FAULT,
     .in_handler = true,
     .within = start_again},
    {.end = cancel_what_is_not_armed, .thread = &tests, .reason = PANIC_ASSERT, .in_handler = true},
};
#define WAYS (sizeof(ways) / sizeof(*ways))

/* A stack that has overflowed has no free bytes; for one that is not known or not found, the record
 * says 0. */
static void expect_stack_free(const struct panic_record *record, const struct thread *thread)
{
    if (thread == &tests) {
        expect(record->stack_free > 512 && record->stack_free < 1536);
    } else if (thread == &idle || thread == &nameless.thread || thread == &goes_deep ||
               thread == &calls_deep) {
        expect_equal(record->stack_free, 0);
    } else {
        expect(record->stack_free > 0 && record->stack_free < 256);
    }
    expect(record->kernel_free > 0 && record->kernel_free < 1024);
}

/* Whether the instruction at an address is BL, whose place a failed assertion has. */
static bool is_call(uint32_t address)
{
    return *(const uint16_t *)(uintptr_t)address >> 11 == 0x1e;
}

static void expect_place(const struct panic_record *record, const struct way *wanted)
{
    expect(record->pc != 0);
    expect(((record->status & 0x3f) != 0) == wanted->in_handler);
    expect(wanted->reason != PANIC_ASSERT || is_call(record->pc));
    if (wanted->within != 0) {
        uint32_t begin = (uint32_t)(uintptr_t)wanted->within & ~1u;
        expect(record->pc >= begin && record->pc < begin + 8);
    }
}

static void expect_record(unsigned way)
{
    const struct way *wanted = &ways[way - 1];
    const struct panic_record *record = panic_last();
    expect(record != 0);
    expect_equal(record->reason, wanted->reason);
    expect_equal(record->count, way);
    expect_equal(record->thread, (uint32_t)(uintptr_t)wanted->thread);
    if (!wanted->any_detail) {
        expect_equal(record->detail, wanted->detail);
    }
    expect_place(record, wanted);
    expect_stack_free(record, wanted->thread);
    expect(went_on != way);
}

TEST(every_end_leaves_its_record)
{
    if (reset_cause() == RESET_POWER) {
        panic_forget();
        start = 1;
        went_on = 0;
    } else {
        expect_equal(reset_cause(), RESET_SOFTWARE);
        if (start <= WAYS) {
            expect_record(start);
        }
        start++;
    }
    if (start <= WAYS) {
        ways[start - 1].end();
        sleep_ms(1000);
    }
    expect(start > WAYS);
}

/* The next panic is the first one again. */
TEST(a_record_can_be_forgotten)
{
    expect(panic_last() != 0);
    if (start == WAYS + 1) {
        panic_forget();
        expect(panic_last() == 0);
        panic(0);
    }
    expect_equal(panic_last()->count, 1);
}

/* A panic looks for a thread in the list of those made at run time, and so do the calls that search
 * it, as far as the links lead to memory. */
static const struct thread_info *found_behind(struct thread_created *link,
                                              const struct thread *thread)
{
    twice.next = link;
    const struct thread_info *info = thread_info_of(thread);
    twice.next = 0;
    return info;
}

TEST(a_list_of_threads_is_followed_within_memory)
{
    struct thread_created *lowest = (struct thread_created *)(void *)kernel_stack_bottom;
    struct thread_created *highest = (struct thread_created *)(RAM_END - sizeof(*highest));
    list_broken(0);
    expect(found_behind(lowest, &lowest->thread) == &lowest->info);
    expect(found_behind(highest, &highest->thread) == &highest->info);
    expect(found_behind((struct thread_created *)0x10000000, &idle) == 0); /* no flash, no RAM */
    expect(found_behind((struct thread_created *)((uint8_t *)&twice + 2), &idle) == 0);
    expect(found_behind(&twice, &idle) == 0);
    struct thread_created *beyond = (struct thread_created *)((uint32_t *)(void *)highest + 1);
    expect(found_behind(beyond, &idle) == 0);
    thread_destroy(&twice.thread);
}
