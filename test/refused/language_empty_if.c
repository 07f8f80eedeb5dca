/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A semicolon ends an if.
 *
 * error: test/refused/language_empty_if.c:17:16: the ; ends the statement before what it is
 *        meant for
 * help: take the ; away
 */
/* clang-format off */
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

THREAD(t, 512, PRIORITY_APP)
{
    int a = 1;
    if (a == 2);
    {
        led_toggle(0);
    }
}
