/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A limit of several hardware periods, and a mote that sleeps as deeply as it can meanwhile. */
#include <lichen/watchdog.h>

#include <lichen/panic.h>
#include <lichen/reset.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "test.h"

/* Three periods of 8 s, or a little more. */
WATCHDOG_LIMIT_MS(24000);
WATCHDOG_CHANNEL(of_tests);

static __attribute__((section(".noinit"))) uint64_t fed_us;

static void feed(void)
{
    watchdog_feed(&of_tests);
    fed_us = time_now_us();
}

TEST(what_is_fed_within_the_limit_goes_on)
{
    if (reset_cause() == RESET_POWER) {
        panic_forget();
        for (unsigned i = 0; i < 5; i++) {
            feed();
            sleep_ms(23900);
        }
    }
}

/* The mote continues to sleep, and is not back before twice the limit. */
TEST(what_is_not_fed_ends)
{
    if (reset_cause() == RESET_POWER) {
        for (;;) {
            fed_us = time_now_us();
            sleep_ms(1000);
        }
    }
    expect_equal(reset_cause(), RESET_SOFTWARE);
    expect_equal(panic_last()->reason, PANIC_WATCHDOG);
    expect_equal(panic_last()->detail, (uint32_t)(uintptr_t)&of_tests);
    /* Fed last at 4 * 23.9 s; the limit began at the next check, the twelfth, and lasted three
     * checks. */
    uint64_t end_us = 15 * WATCHDOG_CHECK_MS * TIME_US_PER_MS;
    expect(fed_us > end_us - 2 * TIME_US_PER_S && fed_us < end_us + 2 * TIME_US_PER_S);
}
