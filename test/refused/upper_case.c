/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The name of a function in upper case.
 *
 * error: test/refused/upper_case.c:14:5: nothing declares `LED_TOGGLE'
 * help: did you mean `led_toggle' (<lichen/led.h>)?
 */
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

THREAD(t, 512, PRIORITY_APP)
{
    LED_TOGGLE(0);
}
