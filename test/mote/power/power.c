/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How deep the mote sleeps. The chip's registers say which mode the last idle period chose: they
 * are still set when a thread runs again.
 */
#include <lichen/interrupt.h>
#include <lichen/notify.h>
#include <lichen/power.h>
#include <lichen/time.h>
#include <lichen/timer.h>
#include <lichen/watchdog.h>

#include "software_interrupt.h"
#include "test.h"
#include "timed_interrupt.h"

#define SCR           (*(volatile uint32_t *)0xe000ed10u)
#define SCR_SLEEPDEEP (1u << 2)
#define PM_SLEEP      (*(volatile uint8_t *)0x40000401u)
#define STANDBY       3u

POWER_LIMIT(one);
POWER_LIMIT(two);

static unsigned chosen(void)
{
    return SCR & SCR_SLEEPDEEP ? STANDBY : PM_SLEEP;
}

/* Long enough for the console to have sent the last test's line, which limits sleep too. */
static unsigned depth_of_sleep(void)
{
    sleep_ms(20);
    sleep_ms(1);
    return chosen();
}

TEST(without_limits_sleep_is_deepest)
{
    expect_equal(depth_of_sleep(), STANDBY);
}

TEST(a_limit_holds_until_it_is_lifted)
{
    power_limit(&one, 1);
    expect_equal(depth_of_sleep(), 1);
    power_unlimit(&one);
    expect_equal(depth_of_sleep(), STANDBY);
}

static void expect_lighter(volatile uint8_t *lighter, volatile uint8_t *deeper)
{
    power_limit(deeper, 2);
    power_limit(lighter, 0);
    expect_equal(depth_of_sleep(), 0);
    power_unlimit(lighter);
    expect_equal(depth_of_sleep(), 2);
    power_unlimit(deeper);
    expect_equal(depth_of_sleep(), STANDBY);
}

/* Whichever of them lies first in memory. */
TEST(the_lightest_of_several_limits_counts)
{
    expect_lighter(&one, &two);
    expect_lighter(&two, &one);
}

TEST(the_deepest_mode_as_a_limit_is_none)
{
    power_limit(&one, STANDBY);
    expect_equal(depth_of_sleep(), STANDBY);
    power_unlimit(&one);
}

/* It lies behind the limits in memory. */
WATCHDOG_CHANNEL(channel);

TEST(a_fed_channel_of_the_watchdog_is_no_limit)
{
    watchdog_feed(&channel);
    expect_equal(depth_of_sleep(), STANDBY);
}

/* A limit that an interrupt sets while the mote is idle takes effect before the next wait. */
EVENT(wakes)
{
    software_interrupts(1u << 2);
}

INTERRUPT(TCC2)
{
    power_limit(&one, 1);
}

INTERRUPT(TCC0)
{
}

INTERRUPT(TCC1)
{
}

TIMER(soon, wakes);

TEST(a_limit_of_an_interrupt_holds_at_once)
{
    software_interrupts_enable();
    uint64_t deadline = time_now_us() + 50 * TIME_US_PER_MS;
    expect_equal(timer_arm(&soon, deadline), 0);
    sleep_until_us(deadline + 20 * TIME_US_PER_MS);
    expect_equal(chosen(), 1);
    power_unlimit(&one);
}

/* The same in the middle of an idle period, when nothing else requests the kernel level. */
static volatile bool limits;
NOTIFY(timed);

INTERRUPT(TC3)
{
    timed_interrupt_clear();
    if (limits) {
        power_limit(&one, 0);
    }
    notify_post_from(&timed, LEVEL_DRIVER);
}

TEST(a_limit_that_interrupts_idling_holds_for_the_rest_of_it)
{
    timed_interrupt_enable();
    sleep_ms(20);
    limits = true;
    power_limit(&two, 2); /* in which the timer counts */
    timed_interrupt_in(60000);
    sleep_ms(50);
    expect_equal(chosen(), 0);
    notify_wait(&timed); /* has come already */
    power_unlimit(&one);
    power_unlimit(&two);
}

/* Nothing but the wait itself requests the kernel level: no deadline is set, and none ends. */
TEST(a_limit_that_a_thread_sets_holds_when_it_waits)
{
    timed_interrupt_enable();
    limits = false;
    power_limit(&two, 2); /* in which the timer counts */
    expect_equal(depth_of_sleep(), 2);
    power_limit(&one, 1);
    timed_interrupt_in(8000);
    notify_wait(&timed);
    expect_equal(chosen(), 1);
    power_unlimit(&one);
    power_unlimit(&two);
}
