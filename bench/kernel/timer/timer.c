/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An event arms the only timer, and thereby sets the hardware's alarm.
 *
 *   arm_begin .. arm_end    from before the call to after it, at the kernel level
 */
#include <lichen/event.h>
#include <lichen/thread.h>
#include <lichen/time.h>
#include <lichen/timer.h>

#include "../mark.h"

volatile uint32_t failures;

EVENT(nothing)
{
}
TIMER(timer, nothing);

static uint64_t deadline;

EVENT(arms)
{
    BENCH_MARK(arm_begin);
    int error = timer_arm(&timer, deadline);
    BENCH_MARK(arm_end);
    if (error != 0) {
        failures++;
    }
}

THREAD(posts, 256, PRIORITY_APP)
{
    for (;;) {
        deadline = time_now_us() + 10 * TIME_US_PER_MS;
        event_post(&arms);
        sleep_until_us(deadline + 5 * TIME_US_PER_MS);
    }
}
