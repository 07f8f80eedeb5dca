/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Readings where the counter wraps, each 36.4 hours: one that comes near it is repeated. */
#include <lichen/event.h>
#include <lichen/time.h>
#include <lichen/timer.h>

#include "compute.h"
#include "counter.h"
#include "reading.h"

enum {
    WRAP_US = 180,      /* what a reading takes more: lichen/time.h */
    AHEAD_OF_WRAP = 24, /* ticks from which a reading may be amid a wrap */
    SET_AHEAD = 64,     /* where the counter is set, ticks before that, */
    UNTIL_US = 1800,    /* and the time from there */
    DEADLINE_US = 6000,
};

EVENT(comes)
{
    reading_alarms++;
}
TIMER(deadline, comes);

/* What a reading takes `before` ticks before a wrap. */
static uint32_t reading_before_wrap(uint32_t before, bool after_deadline)
{
    sleep_ms(10);
    counter_set(0u - before - SET_AHEAD);
    compute_us(UNTIL_US);
    if (after_deadline) {
        expect_equal(timer_arm_after(&deadline, DEADLINE_US), 0);
    }
    return reading_us();
}

static uint32_t worst(bool after_deadline)
{
    uint32_t worst = 0;

    for (uint32_t before = 1; before < AHEAD_OF_WRAP; before++) {
        uint32_t us = reading_before_wrap(before, after_deadline);
        worst = us > worst ? us : worst;
    }
    return worst;
}

TEST(a_reading_at_a_wrap_takes_one_more_crossing)
{
    reference_start();
    uint32_t alone = worst(false);

    expect(alone > most(READING_ALONE_US)); /* it was amid a wrap */
    expect(alone <= most(READING_ALONE_US + WRAP_US));
    expect(worst(true) <= most(READING_MOST_US + WRAP_US));
}
