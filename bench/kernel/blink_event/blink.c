/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The smallest program that blinks by a timer's event. */
#include <lichen/assert.h>
#include <lichen/event.h>
#include <lichen/init.h>
#include <lichen/led.h>
#include <lichen/time.h>
#include <lichen/timer.h>

EVENT_EXTERN(blink);
TIMER(second, blink);

EVENT(blink)
{
    led_toggle(0);
    int error = timer_arm_after(&second, TIME_US_PER_S);
    assert(error == 0);
}

static void start(void)
{
    event_post(&blink);
}
INIT(start);
