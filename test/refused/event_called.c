/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An event is called like a function.
 *
 * error: test/refused/event_called.c:19:5: `ping' is an event, and no function
 * help: post it: event_post(&ping)
 */
/* clang-format off */
#include <lichen/event.h>
#include <lichen/led.h>
#include <lichen/thread.h>

EVENT(ping)
{
    led_on(0);
}

THREAD(t, 512, PRIORITY_APP)
{
    ping();
}
