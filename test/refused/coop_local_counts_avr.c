/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A counter that begins with a constant is carried across a wait in its loop.
 *
 * on: micaz
 * error: test/refused/coop_local_counts_avr.c:17:29: `i' does not keep its value while the
 *        cooperative thread waits
 * help: declare it before COOP_BEGIN(), once for all threads that run this code: static uint8_t i;
 */
#include <lichen/coop.h>
#include <lichen/led.h>

COOP(heart)
{
    uint8_t i;
    COOP_BEGIN();
    for (;;) {
        for (i = 0; i < 2; i++) {
            led_toggle(0);
            coop_sleep_ms(5);
        }
        coop_sleep_ms(5000);
    }
    COOP_END();
}
