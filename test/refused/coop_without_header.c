/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A cooperative thread whose header is not included.
 *
 * error: test/refused/coop_without_header.c:11:1: `COOP' is declared in
 *        <lichen/coop.h>, which is not included
 * help: write #include <lichen/coop.h> at the top of the file
 */
#include <lichen/led.h>
#include <lichen/thread.h>

COOP(changed)
{
    led_toggle(0);
}

THREAD(t, 512, PRIORITY_APP)
{
}
