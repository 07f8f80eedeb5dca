/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A program of events alone: a LED that changes every second, and one that follows it, if the board
 * has another. It fails after some changes.
 */
#include <lichen/assert.h>
#include <lichen/event.h>
#include <lichen/init.h>
#include <lichen/led.h>
#include <lichen/time.h>
#include <lichen/timer.h>

enum { CHANGES = 6 };

static unsigned changes;

EVENT(follows)
{
    led_toggle(led_count() - 1);
}

EVENT(changes_led)
{
    assert(changes < CHANGES);
    led_toggle(0);
    changes++;
    event_post(&follows);
}

static TIMER(period, changes_led);

static void start(void)
{
    int error = timer_arm_every(&period, 0, TIME_US_PER_S);
    assert(error == 0);
}
INIT(start);
