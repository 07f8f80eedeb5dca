/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Lengths that share a reading of the slow clock. */
#include <lichen/event.h>
#include <lichen/thread.h>
#include <lichen/time.h>
#include <lichen/timer.h>

#include "test.h"

extern volatile uint32_t rounds; /* of a thread that computes meanwhile */
static volatile uint32_t rounds_at_first, rounds_at_second;
EVENT(first_over)
{
    rounds_at_first = rounds;
}
TIMER(first, first_over);

EVENT(second_over)
{
    rounds_at_second = rounds;
}
TIMER(second, second_over);

EVENT(arms_both)
{
    expect_equal(timer_arm_after(&first, 10000), 0);
    expect_equal(timer_arm_after(&second, 10000), 0);
}

/* The reading that the first one requested may be of any moment from then on, and the second one
 * counts from its own call. So the second is longer by what a reading may take, and threads run
 * meanwhile. */
TEST(who_joins_a_reading_under_way_allows_for_its_age)
{
    event_post(&arms_both);
    sleep_ms(20);
    expect(rounds_at_second != rounds_at_first);
}
