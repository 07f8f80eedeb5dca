/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A thread has no last brace.
 *
 * error: test/refused/thread_without_end.c:20:8: THREAD stands inside a function: a } is missing
 *        above it
 * help: write the } that ends what begins in line 13: each { needs one
 */
/* clang-format off */
#include <lichen/led.h>
#include <lichen/thread.h>
#include <lichen/time.h>

THREAD(a, 256, PRIORITY_APP)
{
    for (;;) {
        led_toggle(0);
        sleep_ms(500);
    }

THREAD(b, 256, PRIORITY_APP)
{
    for (;;) {
        led_toggle(1);
        sleep_ms(300);
    }
}
