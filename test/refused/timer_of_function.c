/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A timer that should call a function.
 *
 * error: test/refused/timer_of_function.c:17:1: what the timer posts is not
 *        an event
 * help: an event has a handler of its own: EVENT(name) { ... }
 *        (<lichen/event.h>), and its address is &name
 */
#include <lichen/led.h>
#include <lichen/thread.h>
#include <lichen/timer.h>

static void f(void)
{
    led_on(0);
}
TIMER(x, f);

THREAD(t, 512, PRIORITY_APP)
{
    timer_start_ms(&x, 100);
}
