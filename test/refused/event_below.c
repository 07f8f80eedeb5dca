/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An event that is declared after it is posted.
 *
 * error: test/refused/event_below.c:14:17: `late' is declared further down,
 *        in line 17
 * help: move this behind it, or write EVENT_EXTERN(late); above it
 */
#include <lichen/event.h>
#include <lichen/led.h>
#include <lichen/thread.h>

THREAD(t, 512, PRIORITY_APP)
{
    event_post(&late);
}

EVENT(late)
{
    led_on(0);
}
