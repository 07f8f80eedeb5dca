/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The ring of a queue. */
#include "kernel/msg/ring.h"

#include <string.h>

/* The compiler must not move the copy behind the index. */
static inline void copied(void)
{
    __asm__ volatile("" : : : "memory");
}

static uint8_t *slot(const struct queue *queue, unsigned index)
{
    if (index >= queue->length) {
        index -= queue->length;
    }
    return queue->slots + index * queue->slot_bytes;
}

static uint16_t after(const struct queue *queue, unsigned index)
{
    index++;
    return (uint16_t)(index == 2u * queue->length ? 0 : index);
}

unsigned queue_held(const struct queue *queue)
{
    int held = queue->in - queue->out;
    return (unsigned)(held < 0 ? held + 2 * queue->length : held);
}

bool ring_put(struct queue *queue, const void *item)
{
    if (queue_held(queue) == queue->length) {
        return false;
    }
    unsigned in = queue->in;
    memcpy(slot(queue, in), item, queue->slot_bytes);
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
    memcpy(item, slot(queue, out), queue->slot_bytes);
    copied();
    queue->out = after(queue, out);
    return true;
}
