/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Everything that can hang, one case after another: each start checks what ended the previous one,
 * and when.
 *
 * A word that start-up does not touch counts the starts. After power-on its value is random, so the
 * first start is recognised by its cause. Another word counts rounds of a loop while something
 * hangs: this measures how long the hang lasted, by the processor's clock, which is independent of
 * the watchdog's.
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
#include "watchdog_of_chip.h"

extern struct thread tests, idle;

WATCHDOG_LIMIT_MS(LIMIT_MS);

/* Fed by the tests' thread, by an event, and by a more urgent thread. */
WATCHDOG_CHANNEL(of_tests);
WATCHDOG_CHANNEL(of_events);
WATCHDOG_CHANNEL(of_worker);

static __attribute__((section(".noinit"))) unsigned start;
static __attribute__((section(".noinit"))) volatile uint32_t hung; /* turns */

/* Duration of a round of the loop, measured at the first start. */
static __attribute__((section(".noinit"))) uint32_t turns_per_ms;

static volatile bool worker_waits, worker_hangs, event_hangs;

static __attribute__((noinline)) void hang_for(uint32_t turns)
{
    for (uint32_t left = turns; left > 0; left--) {
        hung++;
    }
}

#define CALIBRATION UINT32_C(20000)

static void hang(void)
{
    hung = 0;
    hang_for(UINT32_MAX);
}

SEMAPHORE(never, 0);
static volatile bool worker_is_silent;
THREAD(worker, SMALL_STACK, PRIORITY_HIGH)
{
    for (;;) {
        watchdog_feed(&of_worker);
        if (worker_hangs) {
            hang();
        }
        if (worker_waits) {
            worker_is_silent = true;
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

static void hang_at(unsigned level)
{
    (void)level;
    hang();
}
SOFTWARE_INTERRUPTS(hang_at)

/* Works for some time. */
static void go_on(unsigned rounds)
{
    while (rounds-- > 0) {
        watchdog_feed(&of_tests);
        sleep_ms(30);
    }
}

/* Works, while the worker no longer does anything. */
static void count_silence(void)
{
    while (!worker_is_silent) {
        go_on(1);
    }
    for (hung = 0;;) {
        watchdog_feed(&of_tests);
        hang_for(100);
    }
}

/* The watchdog has just checked its channels and cleared the hardware. */
static void await_look(void)
{
    watchdog_feed(&of_tests);
    while (of_tests.fed) {
    }
}

/* A panic's report takes longer than the reset is away. */
static _Noreturn void panic_before_the_reset(void)
{
    await_look();
    MASK_INTERRUPTS();
    hung = 0;
    hang_for(NEARLY_RESET_MS * turns_per_ms);
    panic(0);
}

static _Noreturn void panic_without_watchdog(void)
{
    await_look();
    break_watchdog();
    panic(0);
}

static void hang_by(unsigned way)
{
    switch (way) {
    case 1:
        worker_hangs = true;
        break;
    case 2:
        event_hangs = true;
        break;
    case 3: /* the kernel waits for it */
        software_interrupts(1u << LEVEL_DRIVER);
        break;
    case 4:
        software_interrupts(1u << (LEVEL_DRIVER - 1));
        break;
    case 5: /* nothing hangs except the one that is waited for */
        worker_waits = true;
        count_silence();
        break;
    case 6: /* while everything else works */
        hang();
        break;
    case 7: /* the watchdog's own level */
        software_interrupts(1u << 0);
        break;
    case 8: /* with interrupts masked */
        MASK_INTERRUPTS();
        hang();
        break;
    case 9:
        panic_before_the_reset();
    case 10:
        panic_without_watchdog();
    default:
        break;
    }
    go_on(10);
}

/* How each case ended. */
static const struct expected {
    enum reset_cause cause;
    enum panic_reason reason; /* of the record that it left, 0 if it left none */
    const struct thread *thread;
    const struct watchdog_channel *silent;
    unsigned exception;
} expected[] = {
    {RESET_SOFTWARE, PANIC_WATCHDOG, &worker, 0, 0},
    {RESET_SOFTWARE, PANIC_WATCHDOG, 0, 0, IN_EVENT}, /* the thread that the event interrupted */
    {END_IN_DRIVER, &tests, 0, IN_LEVEL(LEVEL_DRIVER)},
    {END_ABOVE, &tests, 0, IN_LEVEL(LEVEL_DRIVER - 1)},
    {RESET_SOFTWARE, PANIC_WATCHDOG, 0, &of_worker, 0},
    {RESET_SOFTWARE, PANIC_WATCHDOG, &tests, 0, 0},
    {RESET_WATCHDOG, 0, 0, 0, 0},
    {RESET_WATCHDOG, 0, 0, 0, 0},
    {RESET_SOFTWARE, PANIC_ASSERT, &tests, 0, IN_MASKED},
    {RESET_SOFTWARE, PANIC_ASSERT, &tests, 0, 0},
};
#define FLAGS (sizeof(expected) / sizeof(*expected))

/* The linker's order decides which channel is found first. */
static bool is_channel(uint32_t address)
{
    return address == (uintptr_t)&of_tests || address == (uintptr_t)&of_events ||
           address == (uintptr_t)&of_worker;
}

/* A silent channel is found by the second check at the latest. A hang is found by the check that
 * follows a limit of silence; the part that hangs may have fed its channel up to 30 ms before. If
 * nothing checks, the second half of the hardware's period ends the program. */
static void expect_time(void)
{
    uint64_t us = (uint64_t)hung * 1000 / turns_per_ms;
    expect(us >= LIMIT_US - EARLY_US);
    expect(us <= 2 * (LIMIT_US + CLEARING_US));
}

static void expect_silence(const struct expected *wanted, const struct panic_record *record)
{
    expect(is_channel(record->detail));
    if (wanted->silent != 0) {
        expect_equal(record->detail, (uint32_t)(uintptr_t)wanted->silent);
    }
    uint32_t offset = ARCH_CODE_ADDRESS(record->pc) - CODE_ADDRESS(hang_for);
    expect(offset < HANG_BYTES || wanted->silent != 0);
}

static void expect_record(const struct expected *wanted, unsigned count)
{
    const struct panic_record *record = panic_last();
    expect(record != 0);
    expect_equal(record->count, count);
    if (wanted->reason == 0) { /* the last one stays */
        return;
    }
    expect_equal(record->reason, wanted->reason);
    expect_equal(ARCH_STATUS_EXCEPTION(record->status), wanted->exception);
    if (wanted->thread != 0) {
        expect_equal(record->thread, (uint32_t)(uintptr_t)wanted->thread);
    }
    if (wanted->reason == PANIC_WATCHDOG) {
        expect_silence(wanted, record);
    }
}

static void expect_end(unsigned way)
{
    const struct expected *wanted = &expected[way - 1];
    unsigned records = 0;
    for (unsigned i = 0; i < way; i++) {
        records += expected[i].reason != 0;
    }
    expect_equal(reset_cause(), wanted->cause);
    expect_record(wanted, records);
    if (wanted->reason != PANIC_ASSERT) {
        expect_time();
    }
}

static void calibrate(void)
{
    uint64_t begin = time_now_us();
    hang_for(CALIBRATION);
    turns_per_ms = CALIBRATION * 1000 / (uint32_t)(time_now_us() - begin);
}

TEST(what_hangs_is_recorded_or_reset)
{
    if (reset_cause() == RESET_POWER) {
        panic_forget();
        calibrate();
        start = 1;
    } else {
        expect_end(start);
        start++;
    }
    software_interrupts_enable();
    int error = timer_arm_every(&works_periodically, 0, 20000);
    expect_equal(error, 0);
    if (start <= FLAGS) {
        go_on(2);
        hang_by(start);
    }
    expect_equal(start, FLAGS + 1);
}

TEST(what_is_fed_goes_on)
{
    uint64_t until = time_now_us() + 20 * LIMIT_US;
    while (time_now_us() < until) {
        go_on(1);
    }
}
