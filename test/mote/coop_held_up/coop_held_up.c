/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Cooperative threads run when no thread does, which may be long after one of them was due to wake.
 * Wake times have 16 bits: a sleep must not end early because of that, nor late because they wrap.
 *
 * The tests' thread keeps the processor without computing: it waits for interrupts of a timer.
 */
#include <lichen/coop.h>
#include <lichen/notify.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "keep.h"
#include "late.h"
#include "test.h"

#define MS_US    UINT32_C(1000)
#define SLACK_US (LATE_US + 2 * READING_US + 2 * MS_US)

/* One sleeper per length, started by a signal. */
struct sleeper {
    uint64_t begun;
    uint64_t woke;
};
static volatile struct sleeper short_one, long_one, longest;

COOP(a_second)
{
    COOP_BEGIN();
    for (;;) {
        coop_wait();
        short_one.begun = time_now_us();
        coop_sleep_ms(1000);
        short_one.woke = time_now_us();
    }
    COOP_END();
}

/* An urgent thread that keeps the processor from cooperative threads in the middle of a pass. */
static unsigned to_keep;
static volatile uint64_t free_at;
NOTIFY(keep_it);
THREAD(keeps, SMALL_STACK, PRIORITY_HIGH)
{
    for (;;) {
        notify_wait(&keep_it);
        keep_processor(to_keep);
        free_at = time_now_us();
    }
}

COOP(half_a_minute)
{
    COOP_BEGIN();
    for (;;) {
        coop_wait();
        if (to_keep != 0) {
            notify_post(&keep_it);
        }
        long_one.begun = time_now_us();
        coop_sleep_ms(30000);
        long_one.woke = time_now_us();
    }
    COOP_END();
}

COOP(two_minutes)
{
    COOP_BEGIN();
    for (;;) {
        coop_wait();
        longest.begun = time_now_us();
        coop_sleep_ms(120000);
        longest.woke = time_now_us();
    }
    COOP_END();
}

static void forget(volatile struct sleeper *sleeper)
{
    sleeper->begun = 0;
    sleeper->woke = 0;
}

/* Each piece may be late. */
static void expect_slept(const volatile struct sleeper *sleeper, uint32_t ms, uint64_t free)
{
    uint64_t due = sleeper->begun + (uint64_t)ms * MS_US;
    expect(sleeper->begun != 0);
    expect(sleeper->woke >= due);
    expect(sleeper->woke <= (due > free ? due : free) + 4 * SLACK_US);
}

TEST(a_sleep_that_begins_while_another_is_overdue_has_its_length)
{
    keep_prepare();
    static const uint8_t seconds[] = {2, 13, 31, 34, 65, 100};
    for (unsigned i = 0; i < sizeof(seconds); i++) {
        forget(&short_one);
        forget(&long_one);
        to_keep = seconds[i];
        coop_signal(&a_second);
        sleep_ms(10);
        coop_signal(&half_a_minute);
        sleep_ms(to_keep * MS_US + 31000u);
        to_keep = 0;
        expect_slept(&short_one, 1000, free_at);
        expect_slept(&long_one, 30000, free_at);
    }
}

TEST(sleepers_that_are_overdue_wake_when_the_processor_is_free)
{
    static const uint8_t seconds[] = {5, 33, 64, 130};
    for (unsigned i = 0; i < sizeof(seconds); i++) {
        forget(&short_one);
        forget(&long_one);
        forget(&longest);
        coop_signal(&two_minutes);
        coop_signal(&half_a_minute);
        coop_signal(&a_second);
        sleep_ms(20);
        keep_processor(seconds[i]);
        uint64_t free = time_now_us();
        sleep_ms(130000);
        expect_slept(&short_one, 1000, free);
        expect_slept(&long_one, 30000, free);
        /* A piece that begins late makes the whole sleep longer. */
        expect(longest.woke >= longest.begun + 120000000u);
    }
}

/* A sleep begins 65.7 s after the last wake, more than 16 bits of milliseconds, and says so to the
 * sleeper that is overdue. */
TEST(a_sleeper_that_is_overdue_wakes_when_its_clock_has_just_wrapped)
{
    to_keep = 0;
    coop_signal(&a_second);
    sleep_ms(1100);
    forget(&short_one);
    coop_signal(&a_second);
    sleep_ms(600);
    to_keep = 65;
    coop_signal(&half_a_minute);
    sleep_ms(67000);
    expect_slept(&short_one, 1000, free_at);
}
