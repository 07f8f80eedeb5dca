/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Real-time tasks while the chip writes its own flash, as lichen/log.h describes it: a task in RAM
 * runs at each of its times, a task in flash waits, and whoever waits for flash in an interrupt
 * makes the task in RAM wait, too. */
#include <lichen/log.h>
#include <lichen/rt.h>
#include <lichen/time.h>

#include "test.h"

enum {
    PERIOD_US = 500,
    OPERATIONS = 5, /* an erasure, and four pages */
};

LOG_CIRCULAR(ring, 4 * 248);
RT_MAY_WAIT_FOR_FLASH;

static volatile unsigned runs_in_ram, runs_in_flash;

RT_TASK_IN_RAM(in_ram, RT_TIMER_A, .priority = 0, .period_us = 500, .deadline_us = 100,
               .wcet_cycles = 100)
{
    rt_acknowledge();
    runs_in_ram++;
}

RT_TASK(in_flash, RT_TIMER_B, .priority = 1, .period_us = 500, .deadline_us = 100,
        .wcet_cycles = 100)
{
    rt_acknowledge();
    runs_in_flash++;
}

/* Writes a page, when the console has sent what it has.
 * returns   the periods that this took
 */
static unsigned write_page(void)
{
    static const uint8_t byte = 1;

    expect_equal(log_append(&ring, &byte, 1), 0);
    sleep_ms(20);
    runs_in_ram = runs_in_flash = 0;
    uint64_t start = time_now_us();
    expect_equal(log_sync(&ring), 0);
    return (unsigned)((uint32_t)(time_now_us() - start) / PERIOD_US);
}

TEST(a_task_in_ram_runs_at_each_of_its_times)
{
    rt_period_start(in_ram);
    unsigned periods = write_page();
    rt_period_stop(in_ram);
    expect(periods >= 32);
    expect(runs_in_ram + 1 >= periods);
}

TEST(a_task_in_flash_runs_between_operations_only)
{
    rt_period_start(in_flash);
    unsigned periods = write_page();
    rt_period_stop(in_flash);
    expect(periods >= 32);
    expect(runs_in_flash >= 2);
    expect(runs_in_flash <= 2 * OPERATIONS + 2);
}

TEST(an_interrupt_that_waits_for_flash_makes_the_task_in_ram_wait)
{
    rt_period_start(in_ram);
    rt_period_start(in_flash);
    unsigned periods = write_page();
    rt_period_stop(in_ram);
    rt_period_stop(in_flash);
    expect(periods >= 32);
    expect(runs_in_ram < periods / 2);
}
