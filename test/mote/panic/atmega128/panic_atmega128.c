/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Everything that can end a program on the ATmega128, which has no faults: one case after another
 * leaves its record and restarts the mote, and the next start checks what the previous one left.
 *
 * A word that start-up does not touch counts the starts. After power-on its value is random, so the
 * first start is recognised by its cause.
 */
#include <lichen/assert.h>
#include <lichen/condition.h>
#include <lichen/event.h>
#include <lichen/interrupt.h>
#include <lichen/mutex.h>
#include <lichen/notify.h>
#include <lichen/panic.h>
#include <lichen/queue.h>
#include <lichen/reference.h>
#include <lichen/reset.h>
#include <lichen/rt.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>
#include <lichen/timer.h>

#include <avr/io.h>

#include "software_interrupt.h"
#include "test.h"

extern struct thread tests;
extern uint8_t kernel_stack_bottom[];

/* Exceptions of a record's status. */
enum {
    IN_THREAD = 0,
    IN_KERNEL = 1,
    IN_HANDLER = 2,
    MASKED = 3,
};

static __attribute__((section(".noinit"))) unsigned start;
static __attribute__((section(".noinit"))) unsigned went_on; /* the way that did not end */

/* Fills the stack down to an address, and calls a function there. It calls itself through a
 * variable; otherwise the compiler would turn it into a loop.
 */
static void fill_down_to(uintptr_t address);
static void (*volatile next)(uintptr_t address) = fill_down_to;
static void nothing(void)
{
}
static void (*volatile at_the_bottom)(void) = nothing;

static void fill_down_to(uintptr_t address)
{
    volatile uint8_t room[4];
    for (uint8_t i = 0; i < sizeof(room); i++) {
        room[i] = i;
    }
    if ((uintptr_t)room > address) {
        next(address);
    } else {
        at_the_bottom();
    }
    room[0]++;
}

static SEMAPHORE(never, 0);
NOTIFY(never_told);

/* -------- stacks that overflow: the next call of the kernel notices, whichever it is */
THREAD_STOPPED(calls_deep, SMALL_STACK, PRIORITY_HIGH)
{
    fill_down_to((uintptr_t)thread_info_of(&calls_deep)->stack - 40); /* into the stack below */
    went_on = start;
}

static void end_deep_by(void (*call)(void))
{
    at_the_bottom = call;
    expect_equal(thread_start(&calls_deep, 0), 0);
    sleep_ms(1000);
}

static void sleep_deep(void)
{
    sleep_ms(1);
}

static void wait_deep(void)
{
    semaphore_wait(&never);
}

static void wait_for_notification_deep(void)
{
    notify_wait(&never_told);
}

static void pause_deep(void)
{
    thread_pause(&calls_deep);
}

static void sleeps_deep(void)
{
    end_deep_by(sleep_deep);
}

static void waits_deep(void)
{
    end_deep_by(wait_deep);
}

static void waits_for_notification_deep(void)
{
    end_deep_by(wait_for_notification_deep);
}

static void pauses_deep(void)
{
    end_deep_by(pause_deep);
}

static void ends_deep(void)
{
    end_deep_by(thread_exit);
}

/* The call that overflowed has returned: only the paint tells. */
static void (*goes_on_with)(void);

THREAD_STOPPED(was_deep, SMALL_STACK, PRIORITY_HIGH)
{
    *(volatile uint8_t *)thread_info_of(&was_deep)->stack = 0;
    goes_on_with();
}

static void go_on_with(void (*call)(void))
{
    goes_on_with = call;
    expect_equal(thread_start(&was_deep, 0), 0);
    sleep_ms(1000);
}

static void sleeps_after_overflow(void)
{
    go_on_with(sleep_deep);
}

static void waits_after_overflow(void)
{
    go_on_with(wait_deep);
}

static void ends_after_overflow(void)
{
    go_on_with(thread_exit);
}

EVENT(fills_kernel_stack)
{
    fill_down_to((uintptr_t)kernel_stack_bottom + ARCH_STACK_RESERVE - 1);
}

static void overflow_kernel_stack(void)
{
    event_post(&fills_kernel_stack);
    sleep_ms(1000);
}

/* -------- calls that only threads may make, through variables; otherwise `lichen build` refuses
 * the program */
static void lock_mutex(struct mutex *mutex)
{
    mutex_lock(mutex);
}
static void (*volatile unseen_wait)(struct semaphore *semaphore) = semaphore_wait;
static void (*volatile unseen_sleep)(uint64_t ms) = sleep_ms;
static void (*volatile unseen_lock)(struct mutex *mutex) = lock_mutex;
static void (*volatile unseen_yield)(void) = thread_yield;

EVENT(waits)
{
    unseen_wait(&never);
}

static void wait_in_event(void)
{
    event_post(&waits);
}

EVENT(sleeps)
{
    unseen_sleep(1);
}

static void sleep_in_event(void)
{
    event_post(&sleeps);
}

static void (*volatile unseen_exit)(void) = thread_exit;
EVENT(exits)
{
    unseen_exit();
}

static void exit_in_event(void)
{
    event_post(&exits);
}

static MUTEX(lock);
EVENT(locks)
{
    unseen_lock(&lock);
}

static void lock_in_event(void)
{
    mutex_lock(&lock);
    event_post(&locks);
}

SOFTWARE_INTERRUPT(1)
{
    unseen_yield();
}

static void yield_in_handler(void)
{
    software_interrupts(1u << 1);
}

static bool calls_nothing_at_level_0;
static void call_nothing(void);
SOFTWARE_INTERRUPT(0)
{
    if (calls_nothing_at_level_0) {
        call_nothing();
    }
    unseen_yield();
}

static void yield_at_level_0(void)
{
    software_interrupts(1u << 0);
}

/* -------- errors of the program */
static void fail_assertion(void)
{
    assert(start == 0);
}

static void call_panic(void)
{
    panic(0x1234);
}

static void lock_twice(void)
{
    mutex_lock(&lock);
    mutex_lock(&lock);
}

THREAD_STOPPED(unlocks, SMALL_STACK, PRIORITY_HIGH)
{
    mutex_unlock(&lock);
}

static void unlock_for_another(void)
{
    mutex_lock(&lock);
    expect_equal(thread_start(&unlocks, 0), 0);
}

static void unlock_what_is_free(void)
{
    mutex_unlock(&lock);
}

static void join_oneself(void)
{
    thread_join(&tests);
}

static void become_idle(void)
{
    thread_set_priority(&tests, PRIORITY_IDLE);
}

static void exceed_priorities(void)
{
    thread_set_priority(&tests, PRIORITY_MAX + 1);
}

static REFERENCE(reference);
static void give_back_too_often(void)
{
    reference_give(&reference);
}

static CONDITION(condition);
static void wait_without_mutex(void)
{
    (void)condition_wait(&condition, &lock);
}

NOTIFY(for_one);
THREAD_STOPPED(waits_for_one, SMALL_STACK, PRIORITY_HIGH)
{
    notify_wait(&for_one);
}

static void wait_as_second(void)
{
    expect_equal(thread_start(&waits_for_one, 0), 0);
    notify_wait(&for_one);
}

static QUEUE_RT(of_level_0, uint16_t, 2, 0);
EVENT(sends)
{
    static const uint16_t value = 7;
    (void)!queue_try_send(&of_level_0.queue, &value);
}

static void send_from_event(void)
{
    event_post(&sends);
}

static THREAD_STACK(made_stack, SMALL_STACK);
static struct thread_created made;

static void made_fails(void *argument)
{
    (void)argument;
    panic(5);
}

static void make_one_that_fails(void)
{
    made.info = (struct thread_info){.entry = made_fails,
                                     .stack = made_stack,
                                     .stack_bytes = sizeof(made_stack),
                                     .priority = PRIORITY_HIGH};
    expect_equal(thread_create(&made, 0), 0);
}

/* -------- what the program does not expect */
static void (*volatile missing)(void);

static void call_nothing(void)
{
    missing();
    went_on = start;
}

EVENT(calls_nothing)
{
    call_nothing();
}

static void call_nothing_in_event(void)
{
    event_post(&calls_nothing);
}

static void call_nothing_at_level_0(void)
{
    calls_nothing_at_level_0 = true;
    software_interrupts(1u << 0);
}

/* A wild jump into start-up: what a return address on a stack that is none may lead to. */
void __do_clear_bss(void);
static void start_in_the_middle(void)
{
    __do_clear_bss();
    went_on = start;
}

/* A timer in memory that was not cleared seems armed. */
TIMER(armed, calls_nothing);
static void cancel_what_is_not_armed(void)
{
    static struct timer lost;
    expect_equal(timer_arm_after(&armed, 5000000), 0);
    lost.deadline.expire = armed.deadline.expire;
    (void)timer_cancel(&lost);
}

static void request_without_handler(void)
{
    TCNT1 = UINT16_MAX;
    TIMSK |= 1 << TOIE1;
    TCCR1B = 1 << CS10;
}

/* Its cycles, modulo 2^32, would be those of 0.46 s. */
static void run_a_task_each_ten_minutes(void)
{
    rt_timer_start(&TCCR1A, UINT32_C(583000000));
}

/* The report is not sent. */
static void fail_without_port(void)
{
    UCSR0B = 0;
    panic(0);
}

/* -------- each way, and what its record must say */
static const ARCH_FLASH struct way {
    void (*end)(void);
    struct thread *thread;
    uint16_t detail;
    uint8_t reason;
    uint8_t level;
    bool any_detail;
} ways[] = {
    {fail_assertion, &tests, 0, PANIC_ASSERT, IN_THREAD, false},
    {call_panic, &tests, 0x1234, PANIC_ASSERT, IN_THREAD, false},
    {sleeps_deep, &calls_deep, 0, PANIC_STACK, IN_KERNEL, true},
    {waits_deep, &calls_deep, 0, PANIC_STACK, IN_KERNEL, true},
    {waits_for_notification_deep, &calls_deep, 0, PANIC_STACK, IN_KERNEL, true},
    {pauses_deep, &calls_deep, 0, PANIC_STACK, IN_KERNEL, true},
    {ends_deep, &calls_deep, 0, PANIC_STACK, IN_THREAD, true},
    {sleeps_after_overflow, &was_deep, 0, PANIC_STACK, IN_KERNEL, true},
    {waits_after_overflow, &was_deep, 0, PANIC_STACK, IN_KERNEL, true},
    {ends_after_overflow, &was_deep, 0, PANIC_STACK, IN_THREAD, true},
    {overflow_kernel_stack, &tests, 0, PANIC_KERNEL_STACK, IN_KERNEL, true},
    {wait_in_event, &tests, IN_KERNEL, PANIC_CONTEXT, IN_KERNEL, false},
    {sleep_in_event, &tests, IN_KERNEL, PANIC_CONTEXT, IN_KERNEL, false},
    {exit_in_event, &tests, IN_KERNEL, PANIC_CONTEXT, IN_KERNEL, false},
    {lock_in_event, &tests, IN_KERNEL, PANIC_CONTEXT, IN_KERNEL, false},
    {yield_in_handler, &tests, IN_HANDLER, PANIC_CONTEXT, IN_HANDLER, false},
    {yield_at_level_0, &tests, IN_THREAD, PANIC_CONTEXT, MASKED, false},
    {lock_twice, &tests, 0, PANIC_ASSERT, IN_KERNEL, false},
    {unlock_for_another, &unlocks, 0, PANIC_ASSERT, IN_KERNEL, false},
    {unlock_what_is_free, &tests, 0, PANIC_ASSERT, IN_KERNEL, false},
    {join_oneself, &tests, 0, PANIC_ASSERT, IN_KERNEL, false},
    {run_a_task_each_ten_minutes, &tests, 0, PANIC_ASSERT, IN_THREAD, false},
    {become_idle, &tests, 0, PANIC_ASSERT, IN_THREAD, false},
    {exceed_priorities, &tests, 0, PANIC_ASSERT, IN_THREAD, false},
    {give_back_too_often, &tests, 0, PANIC_ASSERT, IN_KERNEL, false},
    {wait_without_mutex, &tests, 0, PANIC_ASSERT, IN_KERNEL, false},
    {wait_as_second, &tests, 0, PANIC_ASSERT, IN_KERNEL, false},
    {send_from_event, &tests, 0, PANIC_ASSERT, IN_KERNEL, false},
    {make_one_that_fails, &made.thread, 5, PANIC_ASSERT, IN_THREAD, false},
    {request_without_handler, &tests, 0, PANIC_INTERRUPT, MASKED, false},
    {fail_without_port, &tests, 0, PANIC_ASSERT, IN_THREAD, false},
    {call_nothing, &tests, 0, PANIC_FAULT, IN_THREAD, false},
    {call_nothing_in_event, &tests, 0, PANIC_FAULT, IN_KERNEL, false},
    {call_nothing_at_level_0, &tests, 0, PANIC_FAULT, MASKED, false},
    {start_in_the_middle, 0, 0, PANIC_FAULT, IN_THREAD, false},
    {cancel_what_is_not_armed, &tests, 0, PANIC_ASSERT, IN_KERNEL, false},
};
#define WAYS (sizeof(ways) / sizeof(*ways))

static void expect_record(unsigned way)
{
    const ARCH_FLASH struct way *wanted = &ways[way - 1];
    const struct panic_record *record = panic_last();
    expect(record != 0);
    expect_equal(record->reason, wanted->reason);
    expect_equal(record->count, way);
    expect_equal(record->thread, (uintptr_t)wanted->thread);
    if (!wanted->any_detail) {
        expect_equal(record->detail, wanted->detail);
    }
    expect_equal(ARCH_STATUS_EXCEPTION(record->status), wanted->level);
    expect(record->pc != 0);
    if (wanted->reason == PANIC_FAULT) {
        bool in_start = wanted->thread == 0;
        uintptr_t begin = (uintptr_t)(in_start ? __do_clear_bss : call_nothing);
        expect(record->pc > begin && record->pc < begin + (in_start ? 32 : 16));
    }
    expect(record->kernel_free > 0 && record->kernel_free < 1024);
    if (wanted->thread == &tests) {
        expect(record->stack_free > 0 && record->stack_free < TEST_STACK);
    }
    if (wanted->thread == &calls_deep) {
        expect_equal(record->stack_free, 0);
    }
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
