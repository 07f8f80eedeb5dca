/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The queue in a queue of interrupts is not named.
 *
 * error: test/refused/queue_rt_received.c:25:19: `samples' is a QUEUE_RT, in which the queue is a
 *        field
 * help: write &samples.queue
 */
/* clang-format off */
#include <lichen/queue.h>
#include <lichen/rt.h>
#include <lichen/thread.h>

QUEUE_RT(samples, uint16_t, 4, 0);

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
