/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A case without a break.
 *
 * error: test/refused/language_fall_through.c:17:9: one case goes on into the
 *        next
 * help: write break; at its end, or __attribute__((fallthrough)); if it
 *        should go on
 */
#include <lichen/led.h>
#include <lichen/thread.h>

static volatile int x;
THREAD(t, 512, PRIORITY_APP)
{
    switch (x) {
    case 1:
        led_on(0);
    case 2:
        led_off(0);
    }
}
