/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The smallest program that blinks by a cooperative thread. */
#include <lichen/coop.h>
#include <lichen/led.h>

COOP(blink)
{
    COOP_BEGIN();
    for (;;) {
        led_toggle(0);
        coop_sleep_ms(1000);
    }
    COOP_END();
}
