/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How deep the mote sleeps. The chip's registers say which mode the last idle period chose: they
 * are still set when a thread runs again.
 */
#include <lichen/interrupt.h>
#include <lichen/power.h>
#include <lichen/time.h>
#include <lichen/timer.h>
#include <lichen/watchdog.h>

#include "sleep_mode.h"
#include "software_interrupt.h"
#include "test.h"

POWER_LIMIT(one);
POWER_LIMIT(two);

/* Long enough for the console to have sent the last test's line, which limits sleep too. */
static unsigned depth_of_sleep(void)
{
    sleep_ms(20);
    sleep_ms(10);
    return sleep_mode();
}

TEST(without_limits_sleep_is_deepest)
{
    expect_equal(depth_of_sleep(), SLEEP_DEEPEST);
}

TEST(a_limit_holds_until_it_is_lifted)
{
    power_limit(&one, 1);
    expect_equal(depth_of_sleep(), 1);
    power_unlimit(&one);
    expect_equal(depth_of_sleep(), SLEEP_DEEPEST);
}

static void expect_lighter(volatile uint8_t *lighter, volatile uint8_t *deeper)
{
    power_limit(deeper, SLEEP_DEEPEST - 1);
    power_limit(lighter, 0);
    expect_equal(depth_of_sleep(), 0);
    power_unlimit(lighter);
    expect_equal(depth_of_sleep(), SLEEP_DEEPEST - 1);
    power_unlimit(deeper);
    expect_equal(depth_of_sleep(), SLEEP_DEEPEST);
}

/* Whichever of them lies first in memory. */
TEST(the_lightest_of_several_limits_counts)
{
    expect_lighter(&one, &two);
    expect_lighter(&two, &one);
}

TEST(the_deepest_mode_as_a_limit_is_none)
{
    power_limit(&one, CHIP_SLEEP_MODES - 1);
    expect_equal(depth_of_sleep(), SLEEP_DEEPEST);
    power_unlimit(&one);
}

/* It lies behind the limits in memory. */
WATCHDOG_CHANNEL(channel);

TEST(a_fed_channel_of_the_watchdog_is_no_limit)
{
    watchdog_feed(&channel);
    expect_equal(depth_of_sleep(), SLEEP_DEEPEST);
}

/* A limit that an interrupt sets while the mote is idle takes effect before the next wait. */
EVENT(wakes)
{
    software_interrupts(1u << LEVEL_DRIVER);
}

static void sets_limit(unsigned level)
{
    (void)level;
    power_limit(&one, 1);
}
SOFTWARE_INTERRUPTS(sets_limit)

TIMER(soon, wakes);

TEST(a_limit_of_an_interrupt_holds_at_once)
{
    software_interrupts_enable();
    uint64_t deadline = time_now_us() + 50 * TIME_US_PER_MS;
    expect_equal(timer_arm(&soon, deadline), 0);
    sleep_until_us(deadline + 20 * TIME_US_PER_MS);
    expect_equal(sleep_mode(), 1);
    power_unlimit(&one);
}
