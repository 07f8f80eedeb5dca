/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* CntToLedsAndRfm. */
#include "../count.h"

static void show(uint16_t count)
{
    for (unsigned led = 0; led < led_count() && led < 3; led++) {
        if ((count & 1u << led) != 0) {
            led_on(led);
        } else {
            led_off(led);
        }
    }
}
