/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <lichen/queue.h>

#include "kernel/msg/ring.h"

static int wait_until(arch_call_fn *fn, struct queue *queue, void *item, uint64_t deadline)
{
    struct queue_call call;
    call.message.object = queue;
    call.item = item;
    return message_call_until(fn, &call.message, deadline);
}

int queue_send_until(struct queue *queue, const void *message, uint64_t deadline)
{
    return wait_until(queue_send_call, queue, (void *)(uintptr_t)message, deadline);
}

int queue_receive_until(struct queue *queue, void *message, uint64_t deadline)
{
    return wait_until(queue_receive_call, queue, message, deadline);
}
