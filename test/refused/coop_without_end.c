/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A cooperative thread without an end.
 *
 * error: test/refused/coop_without_end.c:18:1: COOP_END() is missing at the
 *        end of a cooperative thread
 * help: the body of a COOP is COOP_BEGIN(); ... COOP_END(); (<lichen/coop.h>)
 */
#include <lichen/coop.h>
#include <lichen/led.h>

COOP(c)
{
    COOP_BEGIN();
    for (;;) {
        coop_sleep_ms(10);
        led_toggle(0);
    }
}
