/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A thread posts as real-time tasks do.
 *
 * error: test/refused/rt_post_in_thread.c:20:5: rt_post is for the body of a real-time task
 * help: elsewhere write event_post(&e)
 */
/* clang-format off */
#include <lichen/event.h>
#include <lichen/led.h>
#include <lichen/rt.h>
#include <lichen/thread.h>

EVENT(e)
{
    led_on(0);
}

THREAD(t, 512, PRIORITY_APP)
{
    rt_post(&e);
}
