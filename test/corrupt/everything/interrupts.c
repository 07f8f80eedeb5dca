/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Events, timers, interrupts, and what threads receive from them. */
#include "parts.h"

#include <lichen/assert.h>
#include <lichen/coop.h>
#include <lichen/event.h>
#include <lichen/init.h>
#include <lichen/interrupt.h>
#include <lichen/notify.h>
#include <lichen/queue.h>
#include <lichen/rt.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>
#include <lichen/timer.h>
#include <lichen/woven.h>

#include "tasks.h"

EVENT_EXTERN(tick);
static TIMER(ticks, tick);

EVENT(once)
{
    works(EVENTS);
}
static TIMER(once_later, once);

EVENT(left)
{
}
EVENT(right)
{
}
WOVEN(both, left, right)
{
    works(WOVEN_EVENTS);
}

NOTIFY(told);
SEMAPHORE_RT(counted, 0);
QUEUE_RT(samples, uint32_t, 3, 1);

URGENT_TASK(.priority = 0, .period_us = 1000, .deadline_us = 500, .wcet_cycles = 400)
{
    urgent_begins();
    rt_notify(&told);
    rt_semaphore_post(&counted);
}

LESSER_TASK(.priority = 1, .period_us = 1000, .deadline_us = 500, .wcet_cycles = 400)
{
    rt_post(&left);
    if (queue_send_from(&samples, &own.sampled, rt_level) == 0) {
        own.sampled++;
    }
    works(TASKS);
}

DRIVER_HANDLER()
{
    driver_begins();
    event_post_from(&right, LEVEL_DRIVER);
}

EVENT(tick)
{
    tasks_request();
    (void)timer_cancel(&once_later);
    int error = timer_arm_after(&once_later, 2000);
    assert(error == 0);
}

static void interrupts_begin(void)
{
    tasks_enable();
    int error = timer_arm_every(&ticks, 0, 5000);
    assert(error == 0);
}
INIT(interrupts_begin);

THREAD(reader, PART_STACK, PRIORITY_HIGH)
{
    for (;;) {
        notify_wait(&told);
        works(TOLD);
    }
}

THREAD(counter, PART_STACK, PRIORITY_HIGH)
{
    for (;;) {
        semaphore_wait(&counted.semaphore);
        uint32_t sample;
        queue_receive(&samples.queue, &sample);
        assert(sample == own.taken);
        own.taken++;
        works(COUNTER);
    }
}

COOP(job)
{
    COOP_BEGIN();
    for (;;) {
        coop_sleep_ms(3);
        coop_yield();
        works(JOB);
    }
    COOP_END();
}
