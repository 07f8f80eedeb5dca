/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An event in small letters.
 *
 * error: test/refused/event_lower_case.c:12:1: nothing declares `Event'
 * help: did you mean `EVENT' (<lichen/event.h>)?
 */
/* clang-format off */
#include <lichen/event.h>
#include <lichen/led.h>
#include <lichen/thread.h>

Event(e)
{
    led_on(0);
}

THREAD(t, 512, PRIORITY_APP)
{
    event_post(&e);
}
