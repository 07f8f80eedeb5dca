/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What a driver allows when it begins to wait holds in that wait, whatever interrupts come between
 * the call and the idle thread: an alarm that fires there must not leave the mote in the mode of
 * the wait before.
 */
#include <lichen/alarm.h>
#include <lichen/time.h>

#include "test.h"

/* More than a reading of the time takes, and less than what ends a wait by chance. */
#define LATE_US 10000u

EVENT(nothing)
{
}

ALARM(near, nothing);

/* sleep_exact_us waits by a timer that standby stops; sleep_ms before it does not. */
TEST(an_event_before_the_idle_thread_leaves_the_limits_in_force)
{
    for (uint32_t us = 0; us < 300; us++) {
        sleep_ms(5);
        expect_equal(alarm_set(&near, us), 0);
        uint64_t start = time_now_us();
        sleep_exact_us(1000);
        expect(time_now_us() - start < LATE_US);
    }
}
