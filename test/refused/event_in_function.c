/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An event is declared in a thread.
 *
 * error: test/refused/event_in_function.c:14:11: EVENT stands inside a function
 * help: declare it at the outermost level of the file, and use its name here
 */
/* clang-format off */
#include <lichen/event.h>
#include <lichen/led.h>
#include <lichen/thread.h>

THREAD(t, 256, PRIORITY_APP)
{
    EVENT(e)
    {
        led_on(0);
    }
    event_post(&e);
}
