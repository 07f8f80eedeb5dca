/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A function is declared in another way than it is defined.
 *
 * error: test/refused/language_declared_otherwise.c:15:13: `on' is declared twice, and not in the
 *        same way
 * help: make both the same, or give one another name; the other is at
 *        test/refused/language_declared_otherwise.c:13:13
 */
/* clang-format off */
#include <lichen/led.h>
#include <lichen/thread.h>

static void on(unsigned led);

static void on(unsigned led, unsigned ms)
{
    led_on(led + ms);
}

THREAD(t, 512, PRIORITY_APP)
{
    on(0, 1);
}
