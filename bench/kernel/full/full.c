/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A program that refers to everything in the kernel, to measure its total size. It does nothing
 * else.
 */
#include <lichen/barrier.h>
#include <lichen/condition.h>
#include <lichen/coop.h>
#include <lichen/interrupt.h>
#include <lichen/mutex.h>
#include <lichen/notify.h>
#include <lichen/queue.h>
#include <lichen/reference.h>
#include <lichen/rt.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>
#include <lichen/timer.h>
#include <lichen/watchdog.h>
#include <lichen/woven.h>

typedef void function(void);
#define NAME(function_) ((function *)(uintptr_t)(function_))

static function *const everything[] = {
    NAME(event_post),
    NAME(timer_arm),
    NAME(timer_arm_after),
    NAME(timer_arm_every),
    NAME(timer_cancel),
    NAME(time_now_us),
    NAME(sleep_us),
    NAME(sleep_ms),
    NAME(sleep_until_us),
    NAME(notify_post),
    NAME(notify_wait_until),
    NAME(thread_start),
    NAME(thread_create),
    NAME(thread_destroy),
    NAME(thread_join),
    NAME(thread_join_until),
    NAME(thread_pause),
    NAME(thread_resume),
    NAME(thread_set_priority),
    NAME(mutex_lock_until),
    NAME(mutex_try),
    NAME(condition_wait),
    NAME(condition_wait_until),
    NAME(condition_signal),
    NAME(condition_broadcast),
    NAME(barrier_wait),
    NAME(barrier_wait_until),
    NAME(reference_take),
    NAME(reference_give),
    NAME(reference_wait),
    NAME(reference_wait_until),
    NAME(semaphore_wait),
    NAME(semaphore_wait_until),
    NAME(semaphore_try),
    NAME(semaphore_post),
    NAME(queue_send),
    NAME(queue_send_until),
    NAME(queue_try_send),
    NAME(queue_receive),
    NAME(queue_receive_until),
    NAME(queue_try_receive),
    NAME(coop_signal),
    NAME(coop_add),
    NAME(coop_hold),
    NAME(coop_kill),
};

EVENT(first)
{
}
EVENT(second)
{
}
WOVEN(both, first, second)
{
}
NOTIFY(told);
MUTEX(lock);
WATCHDOG_CHANNEL(alive);
SEMAPHORE_RT(counted, 0);
QUEUE_RT(values, uint16_t, 2, 0);
volatile unsigned lost;

RT_TASK(task, RT_TIMER_A, .priority = 0, .period_us = 10000, .deadline_us = 100, .wcet_cycles = 200)
{
    uint16_t value = 0;
    rt_acknowledge();
    rt_post(&first);
    rt_notify(&told);
    rt_semaphore_post(&counted);
    if (queue_send_from(&values, &value, rt_level) != 0) {
        lost++;
    }
}

COOP(job)
{
    COOP_BEGIN();
    for (;;) {
        coop_yield();
        coop_wait();
        coop_sleep_ms(100);
    }
    COOP_END();
}

THREAD(names_everything, 256, PRIORITY_APP)
{
    rt_period_start(task);
    for (;;) {
        watchdog_feed(&alive);
        (void)mutex_lock(&lock);
        mutex_unlock(&lock);
        thread_yield();
        notify_wait(&told);
        for (unsigned i = 0; i < sizeof(everything) / sizeof(*everything); i++) {
            everything[i]();
        }
    }
}
