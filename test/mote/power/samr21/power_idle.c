/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Limits that change in an idle period which the timed interrupt ends. On the ATmega128 its timer
 * counts in the lightest mode only.
 */
#include <lichen/interrupt.h>
#include <lichen/notify.h>
#include <lichen/power.h>
#include <lichen/time.h>

#include "sleep_mode.h"
#include "test.h"
#include "timed_interrupt.h"

POWER_LIMIT(first);
POWER_LIMIT(second);

/* Long enough for the console to have sent the last test's line, which limits sleep too. */
static unsigned depth_of_sleep(void)
{
    sleep_ms(20);
    sleep_ms(10);
    return sleep_mode();
}

/* In the middle of an idle period, when nothing else requests the kernel level. */
static volatile bool limits;
NOTIFY(timed);

TIMED_INTERRUPT()
{
    if (limits) {
        power_limit(&first, 0);
    }
    notify_post_from(&timed, LEVEL_DRIVER);
}

TEST(a_limit_that_interrupts_idling_holds_for_the_rest_of_it)
{
    timed_interrupt_enable();
    sleep_ms(20);
    limits = true;
    power_limit(&second, SLEEP_COUNTING); /* in which the timer counts */
    timed_interrupt_in(60000);
    sleep_ms(50);
    expect_equal(sleep_mode(), 0);
    notify_wait(&timed); /* has come already */
    power_unlimit(&first);
    power_unlimit(&second);
}

/* Nothing but the wait itself requests the kernel level: no deadline is set, and none ends. */
TEST(a_limit_that_a_thread_sets_holds_when_it_waits)
{
    timed_interrupt_enable();
    limits = false;
    power_limit(&second, SLEEP_COUNTING); /* in which the timer counts */
    expect_equal(depth_of_sleep(), SLEEP_COUNTING);
    power_limit(&first, 1);
    timed_interrupt_in(8000);
    notify_wait(&timed);
    expect_equal(sleep_mode(), 1);
    power_unlimit(&first);
    power_unlimit(&second);
}
