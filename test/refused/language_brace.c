/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A closing brace is missing.
 *
 * error: test/refused/language_brace.c:18:5: the file ends inside a function
 * help: write the } that is missing: each { needs one
 */
/* clang-format off */
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

THREAD(t, 512, PRIORITY_APP)
{
    for (;;) {
        led_toggle(0);
        sleep_ms(10);
    }
