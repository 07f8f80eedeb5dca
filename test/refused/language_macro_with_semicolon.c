/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A macro ends with a semicolon.
 *
 * error: test/refused/language_macro_with_semicolon.c:13:19: the ; becomes a part of the macro,
 *        wherever that is used
 * help: take it away: #define PERIOD 100
 */
/* clang-format off */
#include <lichen/led.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#define PERIOD 100;

THREAD(t, 512, PRIORITY_APP)
{
    for (;;) {
        led_toggle(0);
        sleep_ms(PERIOD);
    }
}
