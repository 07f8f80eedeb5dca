/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An initialised local variable is carried across a wait.
 *
 * refused: switch jumps over variable initialization
 */
#include <lichen/coop.h>

volatile int seen;

COOP(thread)
{
    COOP_BEGIN();
    int count = 0;
    for (;;) {
        coop_wait();
        count++;
        seen = count;
    }
    COOP_END();
}
