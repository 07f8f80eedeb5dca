/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The time is read, and alarms are set, while the tick's counter wraps. */
#include <avr/io.h>

#include <lichen/event.h>
#include <lichen/thread.h>
#include <lichen/time.h>
#include <lichen/timer.h>

#include "test.h"

#define TICKS_PER_WRAP 256u
#define SOON_US        600000u
#define LATER_US       10000000u
#define ROUNDS         200000u /* half a second */

static uint64_t us_of_tick(uint64_t tick)
{
    return tick * 15625u >> 4;
}

static uint64_t next_wrap_us(uint64_t after_us)
{
    uint64_t tick = after_us * 1024u / 1000000u;
    return us_of_tick((tick / TICKS_PER_WRAP + 1u) * TICKS_PER_WRAP);
}

/* The wrap's interrupt writes a register of the timer, which a first reading after sleep would
 * write, too. */
TEST(the_first_reading_after_sleep_may_follow_a_wrap)
{
    for (unsigned times = 0; times < 3; times++) {
        sleep_ms(100);
        while (TCNT0 != UINT8_MAX) {
        }
        while (TCNT0 == UINT8_MAX) {
        }
        uint64_t now = time_now_us();
        uint64_t wrap = next_wrap_us(now) - us_of_tick(TICKS_PER_WRAP);
        expect(now - wrap < us_of_tick(4));
    }
}

static volatile bool soon_fired, later_fired;

EVENT(soon_event)
{
    soon_fired = true;
}
EVENT(later_event)
{
    later_fired = true;
}
EVENT(past_event)
{
}
TIMER(soon, soon_event);
TIMER(later, later_event);
TIMER(past, past_event);

/* Lasts until the counter has wrapped, and sets an alarm whose time has passed. */
EVENT(over_the_wrap)
{
    while (TCNT0 != 3) {
    }
    expect_equal(timer_arm(&past, 0), 0);
}

/* The wrap of the alarm `soon` begins while an event runs, and the alarm that the event sets takes
 * its place. Nothing of that may apply to the alarm that is set next, which is far. */
TEST(a_wrap_that_began_for_one_alarm_says_nothing_of_another)
{
    sleep_ms(20);
    uint64_t wrap = next_wrap_us(time_now_us() + SOON_US);
    expect_equal(timer_arm(&later, wrap + LATER_US), 0);
    expect_equal(timer_arm(&soon, wrap + us_of_tick(1)), 0);
    while (time_now_us() < wrap - us_of_tick(20)) {
    }
    while (TCNT0 != 250) {
    }
    event_post(&over_the_wrap);
    for (volatile uint32_t rounds = 0; rounds < ROUNDS; rounds++) { /* without a new alarm */
    }
    expect(soon_fired);
    expect(!later_fired);
    expect_equal(timer_cancel(&later), 0);
}
