/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An event is posted by value.
 *
 * error: test/refused/event_posted_by_name.c:20:16: argument 1 of event_post is a struct event,
 *        not its address
 * help: write & before its name
 */
#include <lichen/event.h>
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>
EVENT(e)
{
    led_on(0);
}

THREAD(t, 512, PRIORITY_APP)
{
    event_post(e);
}
