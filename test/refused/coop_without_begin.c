/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A cooperative thread that waits and has not begun.
 *
 * error: test/refused/coop_without_begin.c:14:9: COOP_BEGIN() is missing
 *        before this wait
 * help: the body of a COOP is COOP_BEGIN(); ... COOP_END(); (<lichen/coop.h>)
 */
#include <lichen/coop.h>
#include <lichen/led.h>

COOP(c)
{
    for (;;) {
        coop_sleep_ms(10);
        led_toggle(0);
    }
}
