/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Real-time tasks while a page of the data flash is written, which is a part of its own: they meet
 * their deadlines, of priority 0 or 1, alone or both. */
#include <lichen/log.h>
#include <lichen/rt.h>
#include <lichen/time.h>

#include <avr/io.h>

#include "test.h"

enum {
    PERIOD_US = 500,
    CYCLES_PER_100_US = 737,
};

LOG_CIRCULAR(ring, 4 * 248);

/* A task that missed a time would be later than its period. */
struct seen {
    unsigned runs;
    uint16_t latest; /* cycles after its time */
};
static volatile struct seen of_urgent, of_other;

static void note(volatile struct seen *seen, uint16_t cycles)
{
    seen->runs++;
    if (cycles > seen->latest) {
        seen->latest = cycles;
    }
}

RT_TASK(urgent, RT_TIMER_A, .priority = 0, .period_us = 500, .deadline_us = 100, .wcet_cycles = 100)
{
    rt_acknowledge();
    note(&of_urgent, TCNT3);
}

/* Of priority 1: the entry of another interrupt, some 60 cycles, may come before its last
 * instructions. */
RT_TASK(other, RT_TIMER_B, .priority = 1, .period_us = 500, .deadline_us = 200, .wcet_cycles = 160)
{
    rt_acknowledge();
    note(&of_other, TCNT1);
}

/* Writes a page, when the console has sent what it has.
 * returns   the periods that this took
 */
static unsigned write_page(void)
{
    static const uint8_t byte = 1;

    expect_equal(log_append(&ring, &byte, 1), 0);
    sleep_ms(20);
    of_urgent.runs = of_other.runs = 0;
    of_urgent.latest = of_other.latest = 0;
    uint64_t start = time_now_us();
    expect_equal(log_sync(&ring), 0);
    return (unsigned)((uint32_t)(time_now_us() - start) / PERIOD_US);
}

static void expect_in_time(const volatile struct seen *seen, unsigned periods, uint16_t cycles)
{
    expect(periods >= 32);
    expect(seen->runs + 1 >= periods);
    expect(seen->latest > 0);
    expect(seen->latest < cycles);
}

TEST(a_task_of_priority_0_meets_its_deadlines)
{
    rt_period_start(urgent);
    unsigned periods = write_page();
    rt_period_stop(urgent);
    expect_in_time(&of_urgent, periods, CYCLES_PER_100_US);
}

TEST(a_task_of_priority_1_meets_its_deadlines)
{
    rt_period_start(other);
    unsigned periods = write_page();
    rt_period_stop(other);
    expect_in_time(&of_other, periods, 2 * CYCLES_PER_100_US);
}

TEST(both_meet_their_deadlines)
{
    rt_period_start(urgent);
    rt_period_start(other);
    unsigned periods = write_page();
    rt_period_stop(urgent);
    rt_period_stop(other);
    expect_in_time(&of_urgent, periods, CYCLES_PER_100_US);
    expect_in_time(&of_other, periods, 2 * CYCLES_PER_100_US);
}
