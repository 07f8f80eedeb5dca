/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A thread with the name of a function of the system's.
 *
 * error: test/refused/thread_like_systems.c:12:8: `print' is declared in
 *        <lichen/print.h>, as something else
 * help: give this another name
 */
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>

THREAD(print, 512, PRIORITY_APP)
{
    led_on(0);
}
