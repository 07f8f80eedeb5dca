/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A program of events alone: a LED that changes every second, and another one that follows it. */
#include <lichen/assert.h>
#include <lichen/event.h>
#include <lichen/init.h>
#include <lichen/led.h>
#include <lichen/time.h>
#include <lichen/timer.h>

static unsigned changes;

EVENT(follows)
{
    led_toggle(2);
}

EVENT(changes_led)
{
    led_toggle(1);
    changes++;
    event_post(&follows);
}

static TIMER(period, changes_led);

static void start(void)
{
    int error = timer_arm_every(&period, time_now_us(), TIME_US_PER_S);
    assert(error == 0);
}
INIT(start);
