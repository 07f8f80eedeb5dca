/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Queues that interrupts fill. The interrupt only puts; the event finds the waiting calls. */
#include <lichen/assert.h>

#include "kernel/msg/ring.h"

void queue_rt_deliver(struct event *event)
{
    struct queue_rt *queue_rt =
        (struct queue_rt *)(void *)((uint8_t *)event - offsetof(struct queue_rt, event));
    struct queue *queue = &queue_rt->queue;
    while (queue->receivers != 0) {
        struct queue_call *receiver = (struct queue_call *)queue->receivers;
        if (!ring_take(queue, receiver->item)) {
            return;
        }
        syscall_end(&receiver->syscall, 0);
    }
}

bool queue_put_from(struct queue_rt *queue, const void *message, unsigned level)
{
    assert(level == queue->level); /* else QUEUE_RT declares another priority */
    return ring_put(&queue->queue, message);
}
