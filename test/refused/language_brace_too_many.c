/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A brace too many.
 *
 * error: test/refused/language_brace_too_many.c:14:1: a } closes nothing
 * help: take it away, or write the { that it belongs to
 */
#include <lichen/led.h>
#include <lichen/thread.h>

THREAD(t, 512, PRIORITY_APP)
{
    led_on(0);
}
}
