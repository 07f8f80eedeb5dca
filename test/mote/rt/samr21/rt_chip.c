/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Real-time tasks on the SAM R21: their levels, rounding of periods, and code in RAM. */
#include <lichen/rt.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "rt_of_chip.h"
#include "test.h"

#define NVIC_IPR(line)                                                                             \
    ((*(volatile uint32_t *)(0xe000e400u + (line) / 4 * 4) >> ((line) % 4 * 8 + 6)) & 3u)
#define SCB_VTOR (*(volatile uint32_t *)0xe000ed08u)
#define TC4_CC0  (*(volatile uint16_t *)0x42003018u)

extern volatile uint8_t rt_timer_TC4[];

TEST(start_up_gives_each_task_its_level)
{
    expect_equal(NVIC_IPR(15u), 0);
    expect_equal(NVIC_IPR(16u), 1);
    expect_equal(NVIC_IPR(17u), 1);
    expect_equal(NVIC_ISER >> 15 & 7u, 7);
}

/* 35,000.5 counts of 2 us. */
TEST(a_period_is_rounded_to_the_nearest_count)
{
    rt_timer_start(rt_timer_TC4, 70001);
    uint16_t top = TC4_CC0;
    rt_timer_stop(rt_timer_TC4);
    expect_equal(top + 1, 35001);
}

/* Code in RAM runs there, from a vector in RAM. */
static volatile uintptr_t ran_at;
static volatile unsigned in_ram;

static RT_IN_RAM(helper) void helper(void)
{
    in_ram++;
}

RT_TASK_IN_RAM(resident, TC5, .priority = 0, .period_us = 2000, .deadline_us = 100,
               .wcet_cycles = 80)
{
    rt_acknowledge();
    helper();
    uintptr_t here;
    __asm__ volatile("mov %0, pc" : "=r"(here));
    ran_at = here;
}

TEST(a_task_can_run_from_ram)
{
    rt_period_start(resident);
    sleep_ms(11);
    rt_period_stop(resident);
    expect_equal(in_ram, 5);
    expect(ran_at >= 0x20000000u);
    expect(SCB_VTOR >= 0x20000000u);
}
