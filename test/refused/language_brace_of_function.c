/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A function has no last brace, and another one follows.
 *
 * error: test/refused/language_brace_of_function.c:18:13: `off' stands inside a function: a } is
 *        missing above it
 * help: write the } that ends what begins in line 12: each { needs one
 */
/* clang-format off */
#include <lichen/led.h>
#include <lichen/thread.h>

static void on(void)
{
    if (led_count() > 1) {
        led_on(1);
}

static void off(void)
{
    led_off(1);
}

THREAD(t, 512, PRIORITY_APP)
{
    on();
    off();
}
