/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A loop stands outside of functions.
 *
 * error: test/refused/language_statement_outside.c:11:1: the `for' stands outside of every function
 * help: put it into a THREAD, or into a function that INIT names (<lichen/init.h>)
 */
/* clang-format off */
#include <lichen/led.h>
#include <lichen/thread.h>

for (;;) {
    led_toggle(0);
}
