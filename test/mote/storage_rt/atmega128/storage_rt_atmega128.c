/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Real-time tasks while a page of the data flash is written, which is a part of its own: they run
 * at each of their times, of priority 0 or 1, alone or both. */
#include <lichen/log.h>
#include <lichen/rt.h>
#include <lichen/time.h>

#include "test.h"

enum {
    PERIOD_US = 500,
};

LOG_CIRCULAR(ring, 4 * 248);

static volatile unsigned runs_urgent, runs_other;

RT_TASK(urgent, RT_TIMER_A, .priority = 0, .period_us = 500, .deadline_us = 100, .wcet_cycles = 100)
{
    rt_acknowledge();
    runs_urgent++;
}

RT_TASK(other, RT_TIMER_B, .priority = 1, .period_us = 500, .deadline_us = 200, .wcet_cycles = 100)
{
    rt_acknowledge();
    runs_other++;
}

/* Writes a page, when the console has sent what it has.
 * returns   the periods that this took
 */
static unsigned write_page(void)
{
    static const uint8_t byte = 1;

    expect_equal(log_append(&ring, &byte, 1), 0);
    sleep_ms(20);
    runs_urgent = runs_other = 0;
    uint64_t start = time_now_us();
    expect_equal(log_sync(&ring), 0);
    return (unsigned)((uint32_t)(time_now_us() - start) / PERIOD_US);
}

TEST(a_task_of_priority_0_runs_at_each_of_its_times)
{
    rt_period_start(urgent);
    unsigned periods = write_page();
    rt_period_stop(urgent);
    expect(periods >= 32);
    expect(runs_urgent + 1 >= periods);
}

TEST(a_task_of_priority_1_runs_at_each_of_its_times)
{
    rt_period_start(other);
    unsigned periods = write_page();
    rt_period_stop(other);
    expect(periods >= 32);
    expect(runs_other + 1 >= periods);
}

TEST(both_run_at_each_of_their_times)
{
    rt_period_start(urgent);
    rt_period_start(other);
    unsigned periods = write_page();
    rt_period_stop(urgent);
    rt_period_stop(other);
    expect(periods >= 32);
    expect(runs_urgent + 1 >= periods);
    expect(runs_other + 1 >= periods);
}
