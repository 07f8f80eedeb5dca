/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A wait of another system.
 *
 * error: test/refused/delay_of_others.c:15:5: nothing declares `delay'
 * help: Lichen has `sleep_ms' (<lichen/time.h>) for that
 */
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

THREAD(t, 512, PRIORITY_APP)
{
    led_on(0);
    delay(100);
    led_off(0);
}
