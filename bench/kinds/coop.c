/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* One cooperative thread, which waits for a signal. */
#include <lichen/coop.h>

static volatile unsigned runs;

COOP(coop)
{
    COOP_BEGIN();
    for (;;) {
        coop_wait();
        runs++;
    }
    COOP_END();
}
