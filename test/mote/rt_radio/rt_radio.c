/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A real-time task on RT_TIMER_A while the radio sends frames, which nobody hears, one after the
 * other: it runs once a period, and begins as soon after its time as its priority promises. */
#include <lichen/rt.h>

#include "rt_radio_of_chip.h"
#include "sends.h"
#include "test.h"

enum { PERIOD_US = 1000, PERIODS = 500 };

static volatile unsigned runs;
static volatile uint16_t latest; /* counts after its time */

RT_TASK(urgent, RT_TIMER_A, .priority = 0, .period_us = PERIOD_US, .deadline_us = 100,
        .wcet_cycles = 100)
{
    uint16_t counts = counts_of_a();

    rt_acknowledge();
    runs++;
    if (counts > latest) {
        latest = counts;
    }
}

static unsigned periods_since(uint64_t us)
{
    return (unsigned)((uint32_t)(time_now_us() - us) / PERIOD_US);
}

/* Sending is more urgent than the test: it may come between any two of its lines. */
TEST(a_task_meets_its_deadline_while_frames_are_sent)
{
    sends_begin();
    uint64_t before_us = time_now_us();
    rt_period_start(urgent);
    uint64_t started_us = time_now_us();
    unsigned before = sends_count();
    sleep_ms(PERIODS * (PERIOD_US / 1000));
    unsigned least = periods_since(started_us);
    rt_period_stop(urgent);
    unsigned most = periods_since(before_us);

    expect(sends_count() - before >= 10);
    expect(runs + 1 >= least);
    expect(runs <= most + 1);
    expect(latest > 0);
    expect(latest <= LATEST_COUNTS);
}

TEST(the_radio_goes_on_when_the_task_has_ended)
{
    unsigned before = sends_count();

    sleep_ms(200);
    expect(sends_count() - before >= 3);
}
