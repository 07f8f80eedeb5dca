/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The counter of a loop is carried across a sleep.
 *
 * refused: switch jumps over variable initialization
 */
#include <lichen/coop.h>

volatile int seen;

COOP(thread)
{
    COOP_BEGIN();
    for (int i = 0; i < 3; i++) {
        coop_sleep_ms(10);
        seen = i;
    }
    COOP_END();
}
