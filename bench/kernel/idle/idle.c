/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Nothing to do for an hour: one timer at 3,600 s, and a console that would answer.
 *
 *   idle_armed .. idle_fired   an hour, without a wake-up in between
 */
#include <lichen/assert.h>
#include <lichen/console.h>
#include <lichen/event.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>
#include <lichen/timer.h>

#include "../mark.h"

EVENT(hour_passed)
{
    BENCH_MARK(idle_fired);
}
TIMER(hour, hour_passed);

THREAD(answers, 512, PRIORITY_APP)
{
    char line[32];

    int error = timer_arm(&hour, 3600 * UINT64_C(1000000));
    assert(error == 0);
    sleep_ms(10);
    /* Sleeps until the alarm of the hour has reached the hardware. */
    for (volatile unsigned round = 0; round < 2000; round++) {
    }
    BENCH_MARK(idle_armed);
    for (;;) {
        (void)console_read_line(line, sizeof(line));
        print("%s\n", line);
    }
}
