/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Texts are compared by their addresses.
 *
 * error: test/refused/language_texts_compared.c:16:14: == compares where texts lie, not what
 *        they say
 * help: write strcmp(a, b) == 0 (<string.h>)
 */
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

static const char *name = "y";
THREAD(t, 512, PRIORITY_APP)
{
    if (name == "x") {
        led_toggle(0);
    }
}
