/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A thread with the name of a function.
 *
 * error: test/refused/thread_like_function.c:17:8: `blink' is declared twice,
 *        as two different things
 * help: give one of them another name; the other is at
 *        test/refused/thread_like_function.c:12:13
 */
#include <lichen/led.h>
#include <lichen/thread.h>

static void blink(void)
{
    led_toggle(0);
}

THREAD(blink, 512, PRIORITY_APP)
{
    blink();
}
