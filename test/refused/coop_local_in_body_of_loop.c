/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The counter of a loop that waits is static, and its end is not.
 *
 * error: test/refused/coop_local_in_body_of_loop.c:18:13: `times' does not keep its value while the
 *        cooperative thread waits
 * help: declare it before COOP_BEGIN(), once for all threads that run this code: static int times;
 */
#include <lichen/coop.h>
#include <lichen/led.h>

volatile int pumping;

COOP(blinks)
{
    static int i;
    COOP_BEGIN();
    for (;;) {
        int times = pumping ? 3 : 1;
        for (i = 0; i < times; i++) {
            led_toggle(0);
            coop_sleep_ms(100);
        }
    }
    COOP_END();
}
