/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A semicolon is missing.
 *
 * error: test/refused/semicolon.c:15:14: expected ';' before 'sleep_ms'
 * help: correct this line and build again
 */
/* clang-format off */
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

THREAD(t, 512, PRIORITY_APP)
{
    led_on(0)
    sleep_ms(10);
}
