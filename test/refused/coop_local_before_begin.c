/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A local variable above COOP_BEGIN is carried across a yield.
 *
 * on: micaz
 * error: test/refused/coop_local_before_begin.c:20:22: `count' does not keep its value while the
 *        cooperative thread waits
 * help: declare it before COOP_BEGIN(), once for all threads that run this code: static int count;
 */
#include <lichen/coop.h>

volatile int seen;

COOP(thread)
{
    int count;
    COOP_BEGIN();
    for (;;) {
        count = seen;
        coop_yield();
        seen = count + 1;
    }
    COOP_END();
}
