/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Real-time tasks. TCC0 to TCC2 are requested by software; TC3 to TC5 by their timers. */
#include <lichen/rt.h>

#include <string.h>

#include <lichen/event.h>
#include <lichen/notify.h>
#include <lichen/queue.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "software_interrupt.h"
#include "test.h"

#define REQUEST(line) (NVIC_ISPR = 1u << (line))
#define NVIC_IPR(line)                                                                             \
    ((*(volatile uint32_t *)(0xe000e400u + (line) / 4 * 4) >> ((line) % 4 * 8 + 6)) & 3u)

#define TC4_CC0 (*(volatile uint16_t *)0x42003018u)

static char order[16];
static unsigned length;

static inline __attribute__((always_inline)) void ran(char letter)
{
    if (length < sizeof(order) - 1) {
        order[length++] = letter;
    }
}

static void begin(void)
{
    memset(order, 0, sizeof(order));
    length = 0;
}

EVENT(posted)
{
    ran('e');
}
NOTIFY(told);
SEMAPHORE_RT(counted, 0);

/* The urgent one preempts the other, which requests it midway. */
RT_TASK(urgent, TCC0, .priority = 0, .period_us = 1000, .deadline_us = 50, .wcet_cycles = 200)
{
    ran('u');
    rt_post(&posted);
    rt_notify(&told);
    rt_semaphore_post(&counted);
}

static bool nest;

RT_TASK(lesser, TCC1, .priority = 1, .period_us = 1000, .deadline_us = 900, .wcet_cycles = 400)
{
    ran('(');
    if (nest) {
        REQUEST(TCC0_LINE);
    }
    rt_post(&posted);
    rt_semaphore_post(&counted);
    ran(')');
}

/* Shares the level of `lesser`, so neither interrupts the other. */
RT_TASK(equal, TCC2, .priority = 1, .period_us = 1000, .deadline_us = 900, .wcet_cycles = 400)
{
    ran('[');
    REQUEST(TCC0_LINE + 1);
    __asm__ volatile("dsb\n\tisb" : : : "memory");
    ran(']');
}

TEST(start_up_gives_each_task_its_level)
{
    expect_equal(NVIC_IPR(15u), 0);
    expect_equal(NVIC_IPR(16u), 1);
    expect_equal(NVIC_IPR(17u), 1);
    expect_equal(NVIC_ISER >> 15 & 7u, 7);
}

TEST(a_task_interrupts_a_lesser_one_and_events_come_after_both)
{
    begin();
    nest = true;
    REQUEST(16u);
    __asm__ volatile("dsb\n\tisb" : : : "memory");
    expect(strcmp(order, "(u)e") == 0);
    nest = false;
}

TEST(tasks_of_one_level_wait_for_each_other)
{
    begin();
    REQUEST(17u);
    __asm__ volatile("dsb\n\tisb" : : : "memory");
    expect(strcmp(order, "[]()e") == 0);
}

static unsigned woken;

THREAD(waits, 256, PRIORITY_HIGH)
{
    for (;;) {
        notify_wait(&told);
        woken++;
    }
}

TEST(a_task_wakes_a_thread)
{
    woken = 0;
    REQUEST(TCC0_LINE);
    __asm__ volatile("dsb\n\tisb" : : : "memory");
    expect_equal(woken, 1);
}

TEST(no_count_of_two_levels_is_lost)
{
    while (semaphore_try(&counted.semaphore) == 0) {
    }
    nest = true;
    for (unsigned i = 0; i < 100; i++) {
        REQUEST(16u);
        __asm__ volatile("dsb\n\tisb" : : : "memory");
    }
    nest = false;
    unsigned count = 0;
    while (semaphore_try(&counted.semaphore) == 0) {
        count++;
    }
    expect_equal(count, 200);
}

QUEUE_RT(samples, uint32_t, 4, 0);
static volatile uint32_t next_sample;
static volatile unsigned refused;

RT_TASK(sends, ADC, .priority = 0, .period_us = 1000, .deadline_us = 100, .wcet_cycles = 300)
{
    uint32_t sample = next_sample++;
    if (rt_queue_send(&samples, &sample) != 0) {
        refused++;
    }
}

TEST(a_task_sends_into_its_queue_until_that_is_full)
{
    for (unsigned i = 0; i < 6; i++) {
        REQUEST(23u);
        __asm__ volatile("dsb\n\tisb" : : : "memory");
    }
    expect_equal(refused, 2);
    for (uint32_t expected = 0; expected < 4; expected++) {
        uint32_t sample;
        expect_equal(queue_try_receive(&samples.queue, &sample), 0);
        expect_equal(sample, expected);
    }
}

static volatile unsigned periods;

RT_TASK(periodic, TC3, .priority = 0, .period_us = 1000, .deadline_us = 100, .wcet_cycles = 60)
{
    rt_acknowledge();
    periods++;
}

static unsigned periods_in_ms(unsigned ms)
{
    periods = 0;
    sleep_ms(ms);
    return periods;
}

TEST(a_timer_drives_a_task)
{
    rt_period_start(periodic);
    unsigned count = periods_in_ms(100);
    rt_period_stop(periodic);
    expect(count >= 99 && count <= 101);
    expect_equal(periods_in_ms(10), 0);
}

TEST(stopping_twice_and_starting_anew_are_no_errors)
{
    rt_period_stop(periodic);
    rt_period_start(periodic);
    rt_period_start(periodic);
    expect(periods_in_ms(20) >= 19);
    rt_period_stop(periodic);
}

/* Longer than the counter reaches without dividing its clock. */
static volatile unsigned long_periods;

RT_TASK(slow, TC4, .priority = 1, .period_us = 100000, .deadline_us = 1000, .wcet_cycles = 60)
{
    rt_acknowledge();
    long_periods++;
}

TEST(periods_longer_than_the_counter_are_divided)
{
    rt_period_start(slow);
    sleep_ms(1050);
    rt_period_stop(slow);
    expect_equal(long_periods, 10);
}

/* Each running timer keeps the mote from standby, in which its clock would stop. */
TEST(a_timer_that_stops_leaves_another_one_running)
{
    rt_period_start(periodic);
    rt_period_start(slow);
    sleep_ms(20); /* until the console is done */
    rt_period_stop(slow);
    expect(periods_in_ms(20) >= 19);
    rt_period_stop(periodic);
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
    expect((*(volatile uint32_t *)0xe000ed08u) >= 0x20000000u);
}
