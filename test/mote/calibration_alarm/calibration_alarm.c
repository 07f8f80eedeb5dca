/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A deadline that is already the next alarm when the first calibration ends. Until it has come,
 * nothing else is waited for and nobody reads the clock, so the alarm is not set again. The
 * oscillator is 4.5 % slow (`test.seed`): by the length that its counts had, it would be 0.9 s
 * late.
 */
#include <lichen/calibration.h>

#include <lichen/init.h>
#include <lichen/semaphore.h>
#include <lichen/time.h>
#include <lichen/timer.h>

#include "late.h"
#include "test.h"

#define AWAY_US (UINT64_C(20) * TIME_US_PER_S)

static SEMAPHORE(fired, 0);
static uint64_t armed_at;

EVENT(fires)
{
    semaphore_post(&fired);
}
static TIMER(timer, fires);

static void arm(void)
{
    armed_at = time_now_us();
    if (timer_arm(&timer, armed_at + AWAY_US) != 0) {
        armed_at = TIME_NEVER;
    }
}
INIT(arm);

TEST(an_alarm_keeps_its_time_when_counts_change_their_length)
{
    struct calibration last;

    semaphore_wait(&fired);
    uint64_t now = time_now_us();
    calibration_last(&last);
    expect_equal(last.count, 1);
    expect(now >= armed_at + AWAY_US);
    expect(now <= armed_at + AWAY_US + LATE_US + 1000);
}
