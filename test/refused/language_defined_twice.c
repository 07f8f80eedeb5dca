/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A function is defined twice.
 *
 * error: test/refused/language_defined_twice.c:17:13: `on' is defined twice
 * help: take one away, or give it another name; the other is at
 *        test/refused/language_defined_twice.c:12:13
 */
/* clang-format off */
#include <lichen/led.h>
#include <lichen/thread.h>

static void on(void)
{
    led_on(0);
}

static void on(void)
{
    led_on(1);
}

THREAD(t, 512, PRIORITY_APP)
{
    on();
}
