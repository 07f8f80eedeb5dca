/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A cooperative thread sleeps inside a switch.
 *
 * error: test/refused/coop_sleeps_in_switch.c:22:13: a cooperative thread cannot wait inside a
 *        switch
 * help: write if instead, or let the cases choose what to do, and wait behind the switch
 *        (<lichen/coop.h>)
 */
/* clang-format off */
#include <lichen/coop.h>
#include <lichen/led.h>

volatile int what;

COOP(c)
{
    COOP_BEGIN();
    for (;;) {
        switch (what) {
        case 1:
            led_toggle(0);
            coop_sleep_ms(500);
            break;
        default:
            break;
        }
    }
    COOP_END();
}
