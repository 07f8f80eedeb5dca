/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A closing parenthesis is missing.
 *
 * error: test/refused/language_parenthesis.c:15:17: a ) is missing before the ;
 * help: each ( needs a )
 */
/* clang-format off */
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

THREAD(t, 512, PRIORITY_APP)
{
    led_toggle(0;
}
