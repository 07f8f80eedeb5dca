/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A thread that wakes up periodically and has nothing to do, the program of the Hamilton paper's
 * figures 4 and 7. The folders beside this file build it with the processor's clock and the tick
 * that are to be measured.
 *
 *   period_begin   the first of the periods that count
 */
#include <lichen/thread.h>
#include <lichen/time.h>

#include "../kernel/mark.h"

enum {
    PERIOD_MS = 100,
    PERIOD_STARTS = 10, /* until whatever the start leaves to do is done */
};

THREAD(sleeper, 256, PRIORITY_APP)
{
    for (unsigned round = 0; round < PERIOD_STARTS; round++) {
        sleep_ms(PERIOD_MS);
    }
    BENCH_MARK(period_begin);
    for (;;) {
        sleep_ms(PERIOD_MS);
    }
}
