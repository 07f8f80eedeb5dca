/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Everything that can end a program, one case after another: each leaves its record and restarts
 * the mote, and the next start checks what the previous one left.
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
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>
#include <lichen/timer.h>

#include "software_interrupt.h"
#include "test.h"

extern struct thread tests, idle;
extern uint8_t kernel_stack_bottom[];

static __attribute__((section(".noinit"))) unsigned start;

#define PENDSV_VECTOR 14u

/* SERCOM0, the console's port on both boards. */
#define CONSOLE_CTRLA (*(volatile uint32_t *)0x42000800)

#define NOWHERE ((volatile uint32_t *)0x30000000)
#define RAM_END 0x20008000u

/* Fills the stack down to an address. It calls itself through a variable; otherwise the compiler
 * would turn it into a loop.
 */
static uint32_t fill_down_to(uintptr_t address);
static uint32_t (*volatile next)(uintptr_t address) = fill_down_to;
static void nothing(void)
{
}
static void (*volatile at_the_bottom)(void) = nothing;

static uint32_t fill_down_to(uintptr_t address)
{
    volatile uint32_t room[4];
    for (unsigned i = 0; i < 4; i++) {
        room[i] = i;
    }
    if ((uintptr_t)room > address) {
        return next(address) + room[0];
    }
    at_the_bottom();
    return room[0];
}

SEMAPHORE(go_deep, 0);
THREAD(goes_deep, SMALL_STACK, PRIORITY_HIGH)
{
    semaphore_wait(&go_deep);
    uint8_t *stack = thread_info_of(&goes_deep)->stack;
    (void)fill_down_to((uintptr_t)stack - 64); /* into the stack below */
    sleep_ms(1);
}

/* The same, and then calls the kernel in another way. No call returns to it. */
static __attribute__((section(".noinit"))) unsigned went_on; /* in this way */
static void (*volatile deep_call)(void);
THREAD_STOPPED(calls_deep, SMALL_STACK, PRIORITY_HIGH)
{
    (void)fill_down_to((uintptr_t)thread_info_of(&calls_deep)->stack - 64);
    deep_call();
    went_on = start;
}

SEMAPHORE(never, 0);
NOTIFY(never_told);
static void wait_deep(void)
{
    semaphore_wait(&never);
}
static void wait_for_notification_deep(void)
{
    notify_wait(&never_told);
}
static void wake_deep(void)
{
    (void)semaphore_post(&go_deep);
}
static void pause_deep(void)
{
    thread_pause(&goes_deep);
}

/* Makes no call at the end of its stack: when it is preempted, there is no room for its registers.
 */
static void stay(void)
{
    for (;;) {
    }
}
THREAD_STOPPED(stays_deep, SMALL_STACK, PRIORITY_LOW)
{
    at_the_bottom = stay;
    uint8_t *stack = thread_info_of(&stays_deep)->stack;
    (void)fill_down_to((uintptr_t)stack + 72);
}

/* Yields there. */
THREAD_STOPPED(yields_deep, SMALL_STACK, PRIORITY_APP)
{
    at_the_bottom = thread_yield;
    (void)fill_down_to((uintptr_t)thread_info_of(&yields_deep)->stack + 40);
    went_on = start;
}

/* Waits where its registers do not fit, and its last word is as it was: that is behind room for 8
 * bytes, the frame, and what waiting saves. */
THREAD_STOPPED(waits_at_the_end, SMALL_STACK, PRIORITY_HIGH)
{
    uint8_t *sp = thread_info_of(&waits_at_the_end)->stack + 8 + 32 + 72;
    register struct semaphore *semaphore __asm__("r0") = &never;
    __asm__ volatile("mov sp, %1\n\t"
                     "bl semaphore_take"
                     :
                     : "r"(semaphore), "r"(sp)
                     : "r1", "r2", "r3", "r12", "lr", "cc", "memory");
    went_on = start;
    for (;;) {
        sleep_ms(1000);
    }
}

/* What an event must not call is called through variables; otherwise `lichen build` refuses the
 * program. */
static void lock_mutex(struct mutex *mutex)
{
    mutex_lock(mutex);
}
static void (*volatile unseen_wait)(struct semaphore *semaphore) = semaphore_wait;
static void (*volatile unseen_yield)(void) = thread_yield;
static void (*volatile unseen_sleep)(uint32_t ms) = sleep_ms;
static void (*volatile unseen_lock)(struct mutex *mutex) = lock_mutex;

EVENT(waits)
{
    unseen_wait(&never);
}

SEMAPHORE(there, 1);
EVENT(waits_for_what_is_there)
{
    unseen_wait(&there);
}

EVENT(sleeps)
{
    unseen_sleep(1);
}

/* Waits at the level of a real-time task. */
INTERRUPT(TCC0)
{
    unseen_yield();
}

MUTEX(lock);
MUTEX(lock_of_tests);
SEMAPHORE(go_unlock, 0);
THREAD(unlocks_for_another, SMALL_STACK, PRIORITY_HIGH)
{
    semaphore_wait(&go_unlock);
    mutex_unlock(&lock_of_tests);
}

EVENT(locks)
{
    unseen_lock(&lock_of_tests);
}

/* A mutex that the checks at build time do not see. */
static uintptr_t undeclared_words[sizeof(struct mutex) / sizeof(uintptr_t)];
static struct mutex *const undeclared = (struct mutex *)undeclared_words;
THREAD_STOPPED(locks_undeclared, SMALL_STACK, PRIORITY_HIGH)
{
    mutex_lock(undeclared);
}

REFERENCE(reference);
CONDITION(condition);

NOTIFY(for_one);
THREAD_STOPPED(waits_for_one, SMALL_STACK, PRIORITY_HIGH)
{
    notify_wait(&for_one);
}

static void notify_deep(void)
{
    notify_post(&for_one);
}

THREAD_STOPPED(waits_with_lock_of_tests, SMALL_STACK, PRIORITY_HIGH)
{
    (void)condition_wait(&condition, &lock_of_tests);
}

static QUEUE_RT(of_level_1, unsigned, 2, 1);
INTERRUPT(TCC2)
{
    unsigned value = 0;
    (void)!queue_send_from(&of_level_1, &value, LEVEL_DRIVER);
}

static void created(void *argument)
{
    (void)argument;
    sleep_ms(100);
}
static THREAD_STACK(twice_stack, 256);
static struct thread_created twice = {
    .info = {.entry = created,
             .stack = twice_stack,
             .stack_bytes = sizeof(twice_stack),
             .name = "twice",
             .priority = PRIORITY_LOW},
};

/* A panic describes a thread that was made at run time from memory that may itself be corrupt. It
 * walks the list of these threads for a thread that is not declared: here the idle thread. */
static void list_broken(struct thread_created *link)
{
    int error = thread_create(&twice, 0);
    expect_equal(error, 0);
    twice.next = link;
}

static void fails(void *argument);
static struct thread_created nameless = {
    .info = {.entry = fails,
             .stack = twice_stack,
             .stack_bytes = sizeof(twice_stack),
             .priority = PRIORITY_HIGH},
};

/* Its stack is not found either. */
static void fails(void *argument)
{
    (void)argument;
    nameless.info.stack = (uint8_t *)(uintptr_t)NOWHERE;
    panic(0);
}

EVENT(fills_kernel_stack)
{
    (void)fill_down_to((uintptr_t)kernel_stack_bottom + 36);
}

EVENT(faults)
{
    *NOWHERE = 1;
}
TIMER(faults_later, faults);

/* Through a pointer that is read from address 4, where the reset vector is. */
void reset_handler(void);
static __attribute__((noinline)) void start_again(void)
{
    reset_handler();
    went_on = start;
}

EVENT(starts_again)
{
    start_again();
}

/* A timer in memory that was not cleared seems armed. */
static void cancel_what_is_not_armed(void)
{
    static struct timer lost;
    lost.deadline.expire = faults_later.deadline.expire;
    (void)timer_cancel(&lost);
    went_on = start;
}

static void with_broken_memory(unsigned way)
{
    int error = 0;
    switch (way) {
    case 25: /* a list that leads nowhere */
        list_broken((struct thread_created *)0x30000000);
        break;
    case 26: /* between words */
        list_broken((struct thread_created *)((uint8_t *)&twice + 1));
        break;
    case 27: /* in a circle */
        list_broken(&twice);
        break;
    case 28: /* a name that leads nowhere */
        nameless.info.name = (const char *)0x30000000;
        error = thread_create(&nameless, 0);
        break;
    case 29: /* a name without an end */
        nameless.info.name = (const char *)kernel_stack_bottom;
        error = thread_create(&nameless, 0);
        break;
    case 30: /* a report that is not sent, because the port is off */
        CONSOLE_CTRLA = 0;
        panic(0);
    default:
        break;
    }
    expect_equal(error, 0);
    error = timer_arm_after(&faults_later, 1000);
    expect_equal(error, 0);
}

/* Waits that are errors. */
static int misuse_of_waits(unsigned way)
{
    int error = 0;
    switch (way) {
    case 21: /* more urgent than the most urgent */
        thread_set_priority(&tests, PRIORITY_MAX + 1);
        break;
    case 22: /* without owning the mutex */
        error = condition_wait(&condition, &lock);
        break;
    case 23: /* with a mutex that another thread owns */
        mutex_lock(&lock_of_tests);
        error = thread_start(&waits_with_lock_of_tests, 0);
        break;
    case 24: /* for a notification that another thread waits for */
        error = thread_start(&waits_for_one, 0);
        notify_wait(&for_one);
        break;
    default:
        with_broken_memory(way);
        break;
    }
    return error;
}

/* What a thread must not do to mutexes and threads. */
static void misuse(unsigned way)
{
    int error = 0;
    switch (way) {
    case 11: /* locked twice */
        mutex_lock(&lock);
        mutex_lock(&lock);
        break;
    case 12: /* unlocked by another thread */
        mutex_lock(&lock_of_tests);
        semaphore_post(&go_unlock);
        break;
    case 13: /* unlocked, although no thread locked it */
        mutex_unlock(&lock);
        break;
    case 14: /* locked in an event while a thread owns it */
        mutex_lock(&lock_of_tests);
        event_post(&locks);
        break;
    case 15: /* not declared, and contended */
        mutex_lock(undeclared);
        error = thread_start(&locks_undeclared, 0);
        break;
    case 16: /* a thread that joins itself */
        thread_join(&tests);
        break;
    case 17: /* made while it is alive */
        error = thread_create(&twice, 0);
        expect_equal(error, 0);
        error = thread_create(&twice, 0);
        break;
    case 18: /* the idle thread's priority */
        thread_set_priority(&tests, PRIORITY_IDLE);
        break;
    case 19: /* given back once too often */
        reference_give(&reference);
        break;
    case 20: /* sent at another level than the queue's */
        software_interrupts_enable();
        software_interrupts(1u << LEVEL_DRIVER);
        break;
    default:
        error = misuse_of_waits(way);
        break;
    }
    expect_equal(error, 0);
}

/* With a stack that has overflowed. */
#define FIRST_DEEP  34u
#define FIRST_START 42u
static void end_deep_by(unsigned way)
{
    static void (*const calls[])(void) = {
        wait_deep, wait_for_notification_deep, wake_deep, notify_deep, pause_deep, thread_exit,
    };
    if (way - FIRST_DEEP < sizeof(calls) / sizeof(*calls)) {
        expect(thread_start(&waits_for_one, 0) == 0);
        deep_call = calls[way - FIRST_DEEP];
        expect(thread_start(&calls_deep, 0) == 0);
    } else if (way == FIRST_DEEP + sizeof(calls) / sizeof(*calls)) {
        expect(thread_start(&yields_deep, 0) == 0);
        thread_yield();
    } else {
        expect(thread_start(&waits_at_the_end, 0) == 0);
    }
}

static void end_by(unsigned way)
{
    switch (way) {
    case 1:
        assert(way == 0);
        break;
    case 2:
        panic(0x1234);
        break;
    case 3:
        *NOWHERE = 1;
        break;
    case 4:
        semaphore_post(&go_deep);
        break;
    case 5:
        event_post(&waits);
        break;
    case 6:
        software_interrupts_enable();
        software_interrupts(1u << 1);
        break;
    case 7:
        event_post(&faults);
        break;
    case 8:
        event_post(&fills_kernel_stack);
        break;
    case 9:
        event_post(&sleeps);
        break;
    case 10:
        software_interrupts_enable();
        software_interrupts(1u << 0);
        break;
    case 31:
        expect(thread_start(&stays_deep, 0) == 0);
        sleep_ms(1);
        break;
    case 32:
        event_post(&waits_for_what_is_there);
        break;
    case 33: /* as way 24, until a deadline */
        expect(thread_start(&waits_for_one, 0) == 0);
        expect_equal(notify_wait_until(&for_one, 0), ERR_TIMEOUT);
        break;
    case FIRST_START:
        start_again();
        break;
    case FIRST_START + 1:
        event_post(&starts_again);
        break;
    case FIRST_START + 2:
        expect(timer_arm_after(&faults_later, 5000000) == 0);
        cancel_what_is_not_armed();
        break;
    default:
        if (way < FIRST_DEEP) {
            misuse(way);
        } else {
            end_deep_by(way);
        }
        break;
    }
    sleep_ms(1000);
}

/* What the record of the previous case must say. */
static const struct expected {
    uint32_t reason;
    struct thread *thread;
    uint32_t detail;
    bool any_detail;
    bool in_handler;
} expected[] = {
    {PANIC_ASSERT, &tests, 0, false, false},
    {PANIC_ASSERT, &tests, 0x1234, false, false},
    {PANIC_FAULT, &tests, 0, true, false},
    {PANIC_STACK, &goes_deep, 0, true, false},
    {PANIC_CONTEXT, &tests, PENDSV_VECTOR, false, true},
    {PANIC_INTERRUPT, &tests, 16 + TCC0_LINE + 1, false, true},
    {PANIC_FAULT, &tests, 0, true, true},
    {PANIC_KERNEL_STACK, &idle, 0, true, true},
    {PANIC_CONTEXT, &tests, PENDSV_VECTOR, false, true},
    {PANIC_CONTEXT, &tests, 16 + TCC0_LINE, false, true},
    {PANIC_ASSERT, &tests, 0, false, true},
    {PANIC_ASSERT, &unlocks_for_another, 0, false, true},
    {PANIC_ASSERT, &tests, 0, false, true},
    {PANIC_CONTEXT, &tests, PENDSV_VECTOR, false, true},
    {PANIC_ASSERT, &locks_undeclared, 0, false, true},
    {PANIC_ASSERT, &tests, 0, false, true},
    {PANIC_ASSERT, &tests, 0, false, true},
    {PANIC_ASSERT, &tests, 0, false, false},
    {PANIC_ASSERT, &tests, 0, false, true},
    {PANIC_ASSERT, &tests, 0, false, true},
    {PANIC_ASSERT, &tests, 0, false, false},
    {PANIC_ASSERT, &tests, 0, false, true},
    {PANIC_ASSERT, &waits_with_lock_of_tests, 0, false, true},
    {PANIC_ASSERT, &tests, 0, false, true},
    {PANIC_FAULT, &idle, 0, true, true},
    {PANIC_FAULT, &idle, 0, true, true},
    {PANIC_FAULT, &idle, 0, true, true},
    {PANIC_ASSERT, &nameless.thread, 0, false, false},
    {PANIC_ASSERT, &nameless.thread, 0, false, false},
    {PANIC_ASSERT, &tests, 0, false, false},
    {PANIC_STACK, &stays_deep, 0, true, false},
    {PANIC_CONTEXT, &tests, PENDSV_VECTOR, false, true},
    {PANIC_ASSERT, &tests, 0, false, true},
    {PANIC_STACK, &calls_deep, 0, true, false},
    {PANIC_STACK, &calls_deep, 0, true, false},
    {PANIC_STACK, &calls_deep, 0, true, false},
    {PANIC_STACK, &calls_deep, 0, true, false},
    {PANIC_STACK, &calls_deep, 0, true, false},
    {PANIC_STACK, &calls_deep, 0, true, false},
    {PANIC_STACK, &yields_deep, 0, true, false},
    {PANIC_STACK, &waits_at_the_end, 0, true, false},
    {PANIC_FAULT, &tests, 0, false, false},
    {PANIC_FAULT, &tests, 0, false, true},
    {PANIC_ASSERT, &tests, 0, false, true},
};
#define WAYS (sizeof(expected) / sizeof(*expected))

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

static void expect_record(unsigned way)
{
    const struct expected *wanted = &expected[way - 1];
    const struct panic_record *record = panic_last();
    expect(record != 0);
    expect_equal(record->reason, wanted->reason);
    expect_equal(record->count, way);
    expect_equal(record->thread, (uint32_t)(uintptr_t)wanted->thread);
    if (!wanted->any_detail) {
        expect_equal(record->detail, wanted->detail);
    }
    expect(((record->status & 0x3f) != 0) == wanted->in_handler);
    expect(record->pc != 0);
    expect(wanted->reason != PANIC_ASSERT || is_call(record->pc));
    if (way >= FIRST_START && wanted->reason == PANIC_FAULT) {
        uint32_t begin = (uint32_t)(uintptr_t)start_again & ~1u;
        expect(record->pc >= begin && record->pc < begin + 8);
    }
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
        end_by(start);
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
