/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The ring of a queue: one side puts, the other takes, and either may interrupt the other. A slot
 * is filled before `in` moves past it, and emptied before `out` does.
 */
#ifndef KERNEL_MSG_RING_H
#define KERNEL_MSG_RING_H

#include <stdbool.h>

#include <lichen/queue.h>

/* Copies a message, by words if its size and alignment allow.
 * bytes     1 or more
 */
void queue_copy(void *to, const void *from, size_t bytes);

/* Appends an item. Returns false if there is no room. */
bool ring_put(struct queue *queue, const void *item);

/* Takes the oldest item. Returns false if there is none. */
bool ring_take(struct queue *queue, void *item);

#endif
