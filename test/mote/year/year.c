/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A year of idling with one timer, at its end. The counter wraps all the while: on the SAM R21 each
 * 36.4 hours, on the ATmega128 four times a second.
 */
#include <lichen/event.h>
#include <lichen/thread.h>
#include <lichen/time.h>
#include <lichen/timer.h>

#include "late.h"
#include "test.h"

#define YEAR_US (UINT64_C(365) * 24 * 3600 * TIME_US_PER_S)

static volatile unsigned fired;
static volatile uint64_t fired_at;

EVENT(year_passed)
{
    fired++;
    fired_at = time_now_us();
}
TIMER(year, year_passed);

TEST(a_timer_of_a_year_fires_on_time)
{
    uint64_t deadline = time_now_us() + YEAR_US;

    expect_equal(timer_arm(&year, deadline), 0);
    sleep_until_us(deadline + TIME_US_PER_S);
    expect_equal(fired, 1);
    expect(fired_at >= deadline);
    expect(fired_at <= deadline + LATE_US + READING_US);
}
