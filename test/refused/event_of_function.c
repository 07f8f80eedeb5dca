/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A function where an event belongs.
 *
 * error: test/refused/event_of_function.c:20:16: argument 1 of event_post is
 *        a function, and not a struct event
 * help: an event has a handler of its own: EVENT(name) { ... }
 *        (<lichen/event.h>), and its address is &name
 */
#include <lichen/event.h>
#include <lichen/led.h>
#include <lichen/thread.h>

static void work(void)
{
    led_on(0);
}

THREAD(t, 512, PRIORITY_APP)
{
    event_post(work);
}
