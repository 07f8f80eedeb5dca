/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A counter of a loop that waits.
 *
 * error: test/refused/coop_local_in_loop.c:16:9: a cooperative thread loses its local variables
 *        while it waits, and this one is set before
 * help: make it static, outside of the loop: static int i; (one for all threads that run this code)
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
