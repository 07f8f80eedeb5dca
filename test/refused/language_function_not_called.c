/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A function in a condition is not called.
 *
 * error: test/refused/language_function_not_called.c:15:9: `button_pressed' is compared, and not
 *        called: its address is never 0
 * help: write its arguments, too: button_pressed(...)
 */
/* clang-format off */
#include <lichen/button.h>
#include <lichen/led.h>
#include <lichen/thread.h>

THREAD(t, 512, PRIORITY_APP)
{
    if (button_pressed) {
        led_on(0);
    }
}
