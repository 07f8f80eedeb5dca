/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What links call of the kernel, where nothing waits and nothing else runs. */
#include <lichen/event.h>
#include <lichen/queue.h>
#include <lichen/serial_number.h>

#include <string.h>

#include "host.h"

int serial_number_read(uint8_t *number)
{
    memset(number, 7, SERIAL_NUMBER_BYTES);
    return 0;
}

void event_post(struct event *event)
{
    (void)event;
}

/* `in` and `out` count up. */
int queue_try_send(struct queue *queue, const void *message)
{
    if ((arch_index_t)(queue->in - queue->out) == queue->length) {
        return ERR_FULL;
    }
    memcpy(queue->slots + queue->in % queue->length * queue->slot_bytes, message,
           queue->slot_bytes);
    queue->in++;
    return 0;
}

int queue_try_receive(struct queue *queue, void *message)
{
    if (queue->in == queue->out) {
        return ERR_EMPTY;
    }
    memcpy(message, queue->slots + queue->out % queue->length * queue->slot_bytes,
           queue->slot_bytes);
    queue->out++;
    return 0;
}

void queue_receive(struct queue *queue, void *message)
{
    require(queue_try_receive(queue, message) == 0);
}

int queue_receive_service(void *queue_call)
{
    (void)queue_call;
    return ERR_EMPTY;
}

int syscall_run_until(arch_call_fn *fn, struct syscall *call, uint64_t deadline)
{
    (void)deadline;
    return fn(call);
}
