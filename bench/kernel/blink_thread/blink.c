/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The smallest program that blinks by a thread. */
#include <lichen/led.h>
#include <lichen/thread.h>
#include <lichen/time.h>

THREAD(blink, 192, PRIORITY_APP)
{
    for (;;) {
        led_toggle(0);
        sleep_ms(1000);
    }
}
