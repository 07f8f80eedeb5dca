/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A local variable without an initial value is carried across a yield.
 *
 * error: test/refused/coop_local_assigned.c:15:9: `count' does not keep its value while the
 *        cooperative thread waits
 * help: declare it before COOP_BEGIN(), once for all threads that run this code: static int count;
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
