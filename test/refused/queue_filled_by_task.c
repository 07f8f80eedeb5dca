/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A real-time task sends into a queue of threads.
 *
 * error: test/refused/queue_filled_by_task.c:20:19: `samples' is a QUEUE, and interrupts and
 *        real-time tasks use a QUEUE_RT
 * help: declare it as QUEUE_RT(samples, uint16_t, 4, level), with level the .priority of the task
 *        that sends; threads name it &samples.queue (<lichen/queue.h>)
 */
/* clang-format off */
#include <lichen/queue.h>
#include <lichen/rt.h>
#include <lichen/thread.h>

QUEUE(samples, uint16_t, 4);

RT_TASK(sample, RT_TIMER_A, .priority = 0, .period_us = 1000, .deadline_us = 100, .wcet_cycles = 50)
{
    uint16_t n = 1;
    rt_acknowledge();
    rt_queue_send(&samples, &n);
}

THREAD(t, 512, PRIORITY_APP)
{
    uint16_t n;
    queue_receive(&samples, &n);
}
