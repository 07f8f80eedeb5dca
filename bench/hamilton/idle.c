/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A program that sleeps for a day. The folders beside this file build it with the ticks that are
 * to be compared.
 *
 *   idle_begin   start-up is over, its calibration included
 */
#include <lichen/thread.h>
#include <lichen/time.h>

#include "../kernel/mark.h"

enum {
    START_MS = 500,
    DAY_MS = 86400000,
};

THREAD(sleeper, 256, PRIORITY_APP)
{
    sleep_ms(START_MS);
    BENCH_MARK(idle_begin);
    for (;;) {
        sleep_ms(DAY_MS);
    }
}
