/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The ring of a queue: one side puts, the other takes, and either may interrupt the other. A slot
 * is filled before the index that shows it moves on, and emptied before the one that frees it does.
 */
#ifndef KERNEL_MSG_RING_H
#define KERNEL_MSG_RING_H

#include <stdbool.h>

#include <lichen/message.h>
#include <lichen/queue.h>

/* A call that waits for room or for a message. */
struct queue_call {
    struct message message; /* its object is the queue */
    void *item;             /* what is sent, or room for what is received */
};

/* The calls of queue_send and queue_receive, with and without a deadline; their argument is the
 * above.
 */
int queue_send_call(void *queue_call);
int queue_receive_call(void *queue_call);

/* Copies a message, by words if it consists of such.
 * bytes     1 or more
 */
void queue_copy(void *to, const void *from, size_t bytes);

/* Copies an item behind the others. Returns false if there is no room. */
bool ring_put(struct queue *queue, const void *item);

/* Copies the oldest item. Returns false if there is none. */
bool ring_take(struct queue *queue, void *item);

#endif
