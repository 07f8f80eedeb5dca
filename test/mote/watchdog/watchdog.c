/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Everything that can hang, one after the other: each start looks at what ended the one before it.
 *
 * A word that start-up leaves alone counts the starts; after power-on it holds chance, so the first
 * start is known by its cause.
 */
#include <lichen/watchdog.h>

#include <lichen/event.h>
#include <lichen/interrupt.h>
#include <lichen/notify.h>
#include <lichen/panic.h>
#include <lichen/reset.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>
#include <lichen/timer.h>

#include "software_interrupt.h"
#include "test.h"

extern struct thread tests, idle;

/* The hardware's times are 7.8 ms times a power of two: here 62.5. */
WATCHDOG_LIMIT_MS(60);
#define LIMIT_US UINT64_C(62500)

/* Fed by the thread of the tests, by an event, and by a more urgent thread. */
WATCHDOG_CHANNEL(of_tests);
WATCHDOG_CHANNEL(of_events);
WATCHDOG_CHANNEL(of_worker);

static __attribute__((section(".noinit"))) unsigned start;
static __attribute__((section(".noinit"))) uint64_t hung_us; /* when, since start-up */

static volatile bool worker_waits, worker_hangs, event_hangs;

static _Noreturn void hang(void)
{
    for (volatile unsigned turns = 0;; turns++) {
    }
}

SEMAPHORE(never, 0);
THREAD(worker, 256, PRIORITY_HIGH)
{
    for (;;) {
        watchdog_feed(&of_worker);
        if (worker_hangs) {
            hang();
        }
        if (worker_waits) {
            semaphore_wait(&never);
        }
        sleep_ms(30);
    }
}

EVENT(works)
{
    watchdog_feed(&of_events);
    if (event_hangs) {
        hang();
    }
}
TIMER(works_periodically, works);

INTERRUPT(TCC0)
{
    hang();
}

INTERRUPT(TCC1)
{
    hang();
}

INTERRUPT(TCC2)
{
    hang();
}

/* Works for some time. */
static void go_on(unsigned rounds)
{
    while (rounds-- > 0) {
        watchdog_feed(&of_tests);
        sleep_ms(30);
    }
}

static void hang_by(unsigned way)
{
    hung_us = time_now_us();
    switch (way) {
    case 1:
        worker_hangs = true;
        break;
    case 2:
        event_hangs = true;
        break;
    case 3: /* the kernel waits for it */
        software_interrupts(1u << 2);
        break;
    case 4:
        software_interrupts(1u << 1);
        break;
    case 5: /* nothing hangs but the one that is waited for */
        worker_waits = true;
        break;
    case 6: /* while everything else works */
        hang();
        break;
    case 7: /* the watchdog's own level */
        software_interrupts(1u << 0);
        break;
    case 8: /* with interrupts masked */
        __asm__ volatile("cpsid i");
        hang();
        break;
    default:
        break;
    }
    go_on(10);
}

/* What ended each way. */
static const struct expected {
    const struct thread *thread;
    const struct watchdog_channel *silent;
    unsigned exception;
} expected[] = {
    {&worker, &of_tests, 0},
    {0, &of_tests, 14}, /* whoever was interrupted by the event */
    {&tests, &of_tests, 16 + TCC0_LINE + 2},
    {&tests, &of_tests, 16 + TCC0_LINE + 1},
    {0, &of_worker, 0},
    {&tests, &of_tests, 0},
};
#define RECORDED (sizeof(expected) / sizeof(*expected))
#define WAYS     (RECORDED + 2)

/* Which channel is found first is the linker's order. */
static bool is_channel(uint32_t address)
{
    return address == (uintptr_t)&of_tests || address == (uintptr_t)&of_events ||
           address == (uintptr_t)&of_worker;
}

static void expect_record(unsigned way)
{
    const struct expected *wanted = &expected[way - 1];
    const struct panic_record *record = panic_last();
    expect(record != 0);
    expect_equal(reset_cause(), RESET_SOFTWARE);
    expect_equal(record->reason, PANIC_WATCHDOG);
    expect_equal(record->count, way);
    expect_equal(record->status & 0x3f, wanted->exception);
    expect(is_channel(record->detail));
    if (way == 5) {
        expect_equal(record->detail, (uint32_t)(uintptr_t)wanted->silent);
    }
    if (wanted->thread != 0) {
        expect_equal(record->thread, (uint32_t)(uintptr_t)wanted->thread);
    }
    if (way != 5) {
        uint32_t offset = record->pc - ((uint32_t)(uintptr_t)hang & ~1u);
        expect(offset < 32);
    }
}

TEST(what_hangs_is_recorded_or_reset)
{
    software_interrupts_enable();
    int error = timer_arm_every(&works_periodically, 0, 20000);
    expect_equal(error, 0);
    if (reset_cause() == RESET_POWER) {
        panic_forget();
        start = 1;
    } else if (start <= RECORDED) {
        expect_record(start);
        start++;
    } else {
        /* The last record stays. */
        expect_equal(reset_cause(), RESET_WATCHDOG);
        expect_equal(panic_last()->count, RECORDED);
        start++;
    }
    if (start <= WAYS) {
        go_on(2);
        hang_by(start);
    }
    expect_equal(start, WAYS + 1);
}

TEST(what_is_fed_goes_on)
{
    uint64_t until = time_now_us() + 20 * LIMIT_US;
    while (time_now_us() < until) {
        go_on(1);
    }
}
