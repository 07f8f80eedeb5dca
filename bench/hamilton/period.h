/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A thread that wakes up periodically and has nothing to do, the program of the Hamilton paper's
 * figures 4 and 7.
 *
 *   period_begin   the first of the periods that count
 */
#ifndef BENCH_PERIOD_H
#define BENCH_PERIOD_H

#include <lichen/thread.h>
#include <lichen/time.h>

#include "../kernel/mark.h"

enum {
    PERIOD_MS = 100,
    PERIOD_STARTS = 10, /* until whatever the start leaves to do is done */
};

static inline void sleep_periodically(void)
{
    for (unsigned round = 0; round < PERIOD_STARTS; round++) {
        sleep_ms(PERIOD_MS);
    }
    BENCH_MARK(period_begin);
    for (;;) {
        sleep_ms(PERIOD_MS);
    }
}

#endif
