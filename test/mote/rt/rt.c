/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Real-time tasks, requested by software and by timers. */
#include <lichen/rt.h>

#include <string.h>

#include <lichen/event.h>
#include <lichen/notify.h>
#include <lichen/queue.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "rt_of_chip.h"
#include "test.h"

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
RT_TASK(urgent, URGENT, .priority = 0, .period_us = 1000, .deadline_us = 50, .wcet_cycles = 250)
{
    ACKNOWLEDGE(URGENT);
    ran('u');
    rt_post(&posted);
    rt_notify(&told);
    rt_semaphore_post(&counted);
}

static volatile bool nest;

RT_TASK(lesser, LESSER, .priority = 1, .period_us = 1000, .deadline_us = 900, .wcet_cycles = 400)
{
    ACKNOWLEDGE(LESSER);
    ran('(');
    if (nest) {
        REQUEST(URGENT);
    }
    rt_post(&posted);
    rt_semaphore_post(&counted);
    ran(')');
}

/* Shares the level of `lesser`, so neither interrupts the other. */
RT_TASK(equal, EQUAL, .priority = 1, .period_us = 1000, .deadline_us = 900, .wcet_cycles = 400)
{
    ACKNOWLEDGE(EQUAL);
    ran('[');
    REQUEST(LESSER);
    ran(']');
}

TEST(a_task_interrupts_a_lesser_one_and_events_come_after_both)
{
    begin();
    nest = true;
    REQUEST(LESSER);
    expect(strcmp(order, "(u)e") == 0);
    nest = false;
}

TEST(tasks_of_one_level_wait_for_each_other)
{
    begin();
    REQUEST(EQUAL);
    expect(strcmp(order, "[]()e") == 0);
}

/* The kernel level is under way when the first one comes. */
EVENT(requests_equal)
{
    REQUEST(EQUAL);
}

TEST(tasks_of_one_level_wait_for_each_other_above_an_event)
{
    begin();
    event_post(&requests_equal);
    expect(strcmp(order, "[]()e") == 0);
}

static volatile unsigned woken;

INTERRUPTS_THAT_CALL;
THREAD(waits, SMALL_STACK_BELOW_CALLS, PRIORITY_HIGH)
{
    for (;;) {
        notify_wait(&told);
        woken++;
    }
}

TEST(a_task_wakes_a_thread)
{
    woken = 0;
    REQUEST(URGENT);
    expect_equal(woken, 1);
}

TEST(no_count_of_two_levels_is_lost)
{
    while (semaphore_try(&counted.semaphore) == 0) {
    }
    nest = true;
    for (unsigned i = 0; i < 100; i++) {
        REQUEST(LESSER);
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

RT_TASK(sends, SENDS, .priority = 0, .period_us = 1000, .deadline_us = 100, .wcet_cycles = 500)
{
    ACKNOWLEDGE(SENDS);
    uint32_t sample = next_sample++;
    if (rt_queue_send(&samples, &sample) != 0) {
        refused++;
    }
}

TEST(a_task_sends_into_its_queue_until_that_is_full)
{
    for (unsigned i = 0; i < 6; i++) {
        REQUEST(SENDS);
    }
    expect_equal(refused, 2);
    for (uint32_t expected = 0; expected < 4; expected++) {
        uint32_t sample;
        expect_equal(queue_try_receive(&samples.queue, &sample), 0);
        expect_equal(sample, expected);
    }
}

static volatile unsigned periods;

RT_TASK(periodic, RT_TIMER_A, .priority = 0, .period_us = 1000, .deadline_us = 100,
        .wcet_cycles = 60)
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
    expect(count >= 99 && count <= 101 + EXTRA_US / 1000);
    expect_equal(periods_in_ms(10), 0);
}

TEST(a_period_changes_while_it_runs)
{
    rt_period_start(periodic);
    sleep_ms(20); /* until the console is done */
    rt_period_change(periodic, 5000);
    unsigned count = periods_in_ms(100);
    expect(count >= 19 && count <= 21 + EXTRA_US / 5000);
    rt_period_start(periodic);
    expect(periods_in_ms(20) >= 19);
    rt_period_stop(periodic);
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

RT_TASK(slow, RT_TIMER_B, .priority = 1, .period_us = 100000, .deadline_us = 1000,
        .wcet_cycles = 60)
{
    rt_acknowledge();
    long_periods++;
}

/* One cycle more than sixteen bits count, on the ATmega128; the SAM R21 divides it, too. */
#define TIMER_OF(vector)  TIMER_OF_(vector)
#define TIMER_OF_(vector) rt_timer_##vector
#define JUST_BEYOND_US    8889

TEST(a_period_that_just_exceeds_the_counter_is_divided)
{
    rt_timer_start(TIMER_OF(RT_TIMER_A), JUST_BEYOND_US);
    unsigned count = periods_in_ms(200);
    rt_timer_stop(TIMER_OF(RT_TIMER_A));
    expect(count >= 22 && count <= 23);
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
