/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A local variable without an initial value is carried across a yield.
 *
 * refused: 'count' may be used uninitialized
 */
#include <lichen/coop.h>

volatile int seen;

COOP(thread)
{
    COOP_BEGIN();
    int count;
    for (;;) {
        count = seen;
        coop_yield();
        seen = count + 1;
    }
    COOP_END();
}
