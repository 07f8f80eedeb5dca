/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An event and a thread have one name.
 *
 * error: test/refused/event_like_thread.c:17:8: `beat' is declared twice, as two different things
 * help: give one of them another name; the other is at test/refused/event_like_thread.c:12:7
 */
/* clang-format off */
#include <lichen/event.h>
#include <lichen/led.h>
#include <lichen/thread.h>

EVENT(beat)
{
    led_on(0);
}

THREAD(beat, 256, PRIORITY_APP)
{
    event_post(&beat);
}
