/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The ring of a queue, and queues that interrupts fill: the interrupt only puts a message into the
 * ring; the event finds the waiting calls. */
#include "kernel/msg/ring.h"

#include <lichen/assert.h>

/* The compiler must not move the copy after the store of the index. */
static inline void copied(void)
{
    __asm__ volatile("" : : : "memory");
}

typedef arch_word_t word __attribute__((may_alias));

/* Not memcpy: with its call that is slower for the few words of a message. */
void queue_copy(void *to_, const void *from_, size_t bytes)
{
    if ((((uintptr_t)to_ | (uintptr_t)from_ | bytes) % sizeof(word)) == 0) {
        const word *from = from_;
        for (word *to = to_; bytes != 0; bytes -= sizeof(word)) {
            *to++ = *from++;
        }
        return;
    }
    const uint8_t *from = from_;
    for (uint8_t *to = to_; bytes != 0; bytes--) {
        *to++ = *from++;
    }
}

static uint8_t *slot(const struct queue *queue, arch_index_t index)
{
    if (index >= queue->length) {
        index -= queue->length;
    }
    return queue->slots + index * queue->slot_bytes;
}

static arch_index_t after(const struct queue *queue, unsigned index)
{
    index++;
    return (arch_index_t)(index == 2u * queue->length ? 0 : index);
}

/* Reads again if a message has been taken in between: two indices of different moments may be
 * further apart than the queue is long. */
unsigned queue_held(const struct queue *queue)
{
    unsigned in;
    unsigned out;
    do {
        out = queue->out;
        in = queue->in;
    } while (queue->out != out);
    return in - out + (in < out ? 2u * queue->length : 0);
}

bool ring_put(struct queue *queue, const void *item)
{
    if (queue_held(queue) == queue->length) {
        return false;
    }
    unsigned in = queue->in;
    queue_copy(slot(queue, in), item, queue->slot_bytes);
    copied();
    queue->in = after(queue, in);
    return true;
}

bool ring_take(struct queue *queue, void *item)
{
    unsigned out = queue->out;
    if (queue->in == out) {
        return false;
    }
    queue_copy(item, slot(queue, out), queue->slot_bytes);
    copied();
    queue->out = after(queue, out);
    return true;
}

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
