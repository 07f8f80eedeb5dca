/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Names of another system.
 *
 * error: test/refused/name_of_arduino.c:14:5: nothing declares `digitalWrite'
 * help: Lichen has `gpio_set' (<lichen/gpio.h>) for that
 */
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

THREAD(t, 512, PRIORITY_APP)
{
    digitalWrite(13, HIGH);
    delay(100);
}
