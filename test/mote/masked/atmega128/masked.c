/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The kernel and the entries of handlers turn interrupts off for a few cycles at a time. A task of
 * level 0 finds out for how many: the timer that requests it starts again from 0 then.
 */
#include <avr/io.h>

#include <lichen/event.h>
#include <lichen/mutex.h>
#include <lichen/notify.h>
#include <lichen/rt.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "test.h"

/* What is added at most to the shortest time between request and task: 10 cycles with interrupts
 * off, from a CLI to its RETI, and the instruction of four cycles that the processor executes
 * behind a RETI before it serves another interrupt (data sheet, "Reset and Interrupt Handling"). */
#define ADDED_CYCLES 14

static volatile uint16_t least = UINT16_MAX, most;
static volatile uint32_t requests;

RT_TASK(measures, TIMER1_COMPA, .priority = 0, .period_us = 53, .deadline_us = 50,
        .wcet_cycles = 200)
{
    uint16_t late = TCNT1;
    if (late < least) {
        least = late;
    }
    if (late > most) {
        most = late;
    }
    requests++;
}

/* Everything that the kernel level is requested by: a task of level 1, threads, events, alarms. */
NOTIFY(told);
SEMAPHORE_RT(counted, 0);
SEMAPHORE(to, 0);
SEMAPHORE(fro, 0);
MUTEX(shared);
static volatile unsigned events, notified, rounds;

EVENT(posted)
{
    events++;
}

RT_TASK(lesser, TIMER3_COMPA, .priority = 1, .period_us = 1531, .deadline_us = 1000,
        .wcet_cycles = 400)
{
    rt_post(&posted);
    rt_notify(&told);
    rt_semaphore_post(&counted);
}

INTERRUPTS_THAT_CALL;
THREAD(waits_for_task, MEDIUM_STACK, PRIORITY_HIGH)
{
    for (;;) {
        notify_wait(&told);
        notified++;
    }
}

THREAD(answers, MEDIUM_STACK, PRIORITY_LOW)
{
    for (;;) {
        semaphore_wait(&to);
        (void)mutex_lock(&shared);
        mutex_unlock(&shared);
        (void)semaphore_post(&fro);
        sleep_us(700);
    }
}

TEST(the_kernel_makes_a_task_of_level_0_wait_for_a_few_cycles)
{
    rt_period_start(measures);
    rt_period_start(lesser);
    uint64_t end = time_now_us() + 2000000;
    while (time_now_us() < end) {
        event_post(&posted);
        semaphore_wait(&counted.semaphore);
        (void)semaphore_post(&to);
        thread_yield();
        semaphore_wait(&fro);
        rounds++;
    }
    rt_period_stop(lesser);
    rt_period_stop(measures);
    expect(requests > 30000);
    expect(notified > 1000);
    expect(rounds > 300);
    expect(most - least <= ADDED_CYCLES);
}
