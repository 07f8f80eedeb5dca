/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A header with a misspelt name.
 *
 * error: test/refused/wrong_header.c:7:10: there is no header `lichen/leds.h'
 * help: did you mean <lichen/led.h>?
 */
#include <lichen/leds.h>
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

THREAD(t, 512, PRIORITY_APP)
{
    led_on(0);
}
