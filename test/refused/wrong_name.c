/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A function that there is not.
 *
 * error: test/refused/wrong_name.c:14:5: nothing declares `led_blink'
 * help: <lichen/led.h> has led_count, led_off, led_on, led_toggle
 */
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

THREAD(t, 512, PRIORITY_APP)
{
    led_blink(0);
}
