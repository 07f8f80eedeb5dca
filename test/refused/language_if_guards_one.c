/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An if guards one statement, and two are indented.
 *
 * error: test/refused/language_if_guards_one.c:15:5: only the first of the indented lines belongs
 *        to this one
 * help: put { before the first of them, and } behind the last
 */
/* clang-format off */
#include <lichen/button.h>
#include <lichen/led.h>
#include <lichen/thread.h>

THREAD(t, 512, PRIORITY_APP)
{
    if (button_pressed(0))
        led_on(0);
        led_on(1);
}
