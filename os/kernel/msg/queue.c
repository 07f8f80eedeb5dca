/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Queues between threads and events. While receivers wait the ring is empty, and while senders wait
 * it is full. A message is handed over in the same step that ends its receiver's call, so that a
 * thread that is destroyed at that time takes only its own message with it.
 */
#include <lichen/queue.h>

#include <lichen/assert.h>
#include <lichen/kernel.h>

#include "arch/arch.h"
#include "kernel/msg/ring.h"

static int try_send(void *queue_, void *item)
{
    struct queue *queue = queue_;
    assert(queue->senders != QUEUE_OF_INTERRUPTS); /* else only tasks send to it: QUEUE_RT */
    struct queue_call *receiver = (struct queue_call *)queue->receivers;
    if (receiver != 0) {
        queue_copy(receiver->item, item, queue->slot_bytes);
        syscall_end(&receiver->syscall, 0);
        return 0;
    }
    return ring_put(queue, item) ? 0 : ERR_FULL;
}

static int try_receive(void *queue_, void *item)
{
    struct queue *queue = queue_;
    /* Messages that interrupts have sent while receivers wait belong to the receivers: the event
     * delivers them. */
    if (queue->receivers != 0 || !ring_take(queue, item)) {
        return ERR_EMPTY;
    }
    struct queue_call *sender = (struct queue_call *)queue->senders;
    if ((uintptr_t)sender > (uintptr_t)QUEUE_OF_INTERRUPTS) {
        (void)ring_put(queue, sender->item);
        syscall_end(&sender->syscall, 0);
    }
    return 0;
}

int queue_send_service(void *argument)
{
    struct queue_call *call = argument;
    struct queue *queue = call->syscall.object;
    return try_send(queue, call->item) == 0 ? 0 : syscall_wait_in(&call->syscall, &queue->senders);
}

int queue_receive_service(void *argument)
{
    struct queue_call *call = argument;
    struct queue *queue = call->syscall.object;
    return try_receive(queue, call->item) == 0 ? 0
                                               : syscall_wait_in(&call->syscall, &queue->receivers);
}

/* A call is filled in field by field: the kernel fills the rest. */
static int wait_for_ever(arch_call_fn *fn, struct queue *queue, void *item)
{
    struct queue_call call;
    call.syscall.object = queue;
    call.item = item;
    return syscall_run(fn, &call.syscall);
}

/* Cases that the architecture does not handle, or calls from an event. */
static int try_through_kernel(arch_call_with_fn *fn, struct queue *queue, void *item)
{
    if (arch_in_thread()) {
        return arch_kernel_call_with(fn, queue, item);
    }
    sequence_restart();
    return fn(queue, item);
}

void queue_send(struct queue *queue, const void *message)
{
    if (!queue_put_alone(queue, message)) {
        (void)wait_for_ever(queue_send_service, queue, (void *)(uintptr_t)message);
    }
}

int queue_try_send(struct queue *queue, const void *message)
{
    return queue_put_alone(queue, message)
               ? 0
               : try_through_kernel(try_send, queue, (void *)(uintptr_t)message);
}

void queue_receive(struct queue *queue, void *message)
{
    if (!queue_take_alone(queue, message)) {
        (void)wait_for_ever(queue_receive_service, queue, message);
    }
}

int queue_try_receive(struct queue *queue, void *message)
{
    return queue_take_alone(queue, message) ? 0 : try_through_kernel(try_receive, queue, message);
}
