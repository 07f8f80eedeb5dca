/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A call without its header.
 *
 * error: test/refused/led_not_included.c:12:5: `led_on' is declared in <lichen/led.h>, which is not
 *        included
 * help: write #include <lichen/led.h> at the top of the file
 */
#include <lichen/thread.h>

THREAD(t, 256, PRIORITY_APP)
{
    led_on(0);
}
