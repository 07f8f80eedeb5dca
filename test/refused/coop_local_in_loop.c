/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A counter of a loop that waits.
 *
 * error: test/refused/coop_local_in_loop.c:14:14: `i' does not keep its value while the cooperative
 *        thread waits
 * help: declare it before COOP_BEGIN(), once for all threads that run this code: static int i;
 */
#include <lichen/coop.h>
#include <lichen/led.h>

COOP(blinks)
{
    COOP_BEGIN();
    for (int i = 0; i < 5; i++) {
        led_toggle(0);
        coop_sleep_ms(100);
    }
    COOP_END();
}
