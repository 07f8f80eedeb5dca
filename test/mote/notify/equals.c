/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A notified thread goes behind the ready threads of equal priority, also on the short paths that
 * put a more urgent thread first without a call.
 */
#include <lichen/event.h>
#include <lichen/notify.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "test.h"
#include "timed_interrupt.h"

#define AT_ONCE_CYCLES 50u

NOTIFY(go);
static volatile bool notified;
static volatile unsigned came;

THREAD(is_equal, SMALL_STACK, PRIORITY_APP)
{
    for (;;) {
        notify_wait(&go);
        came++;
    }
}

TIMED_INTERRUPT()
{
    notify_post_from(&go, LEVEL_DRIVER);
    notified = true;
}

EVENT(posts)
{
    notify_post(&go);
}

TEST(an_equal_that_an_interrupt_notifies_waits_for_its_turn)
{
    timed_interrupt_enable();
    sleep_ms(20); /* a slice begins, and the console is silent */
    came = 0;
    notified = false;
    timed_interrupt_in(AT_ONCE_CYCLES);
    while (!notified) {
    }
    expect_equal(came, 0);
    thread_yield();
    expect_equal(came, 1);
}

TEST(an_equal_that_an_event_notifies_waits_for_its_turn)
{
    sleep_ms(20);
    came = 0;
    event_post(&posts);
    expect_equal(came, 0);
    thread_yield();
    expect_equal(came, 1);
}
