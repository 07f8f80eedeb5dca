/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the kernel itself does with messages (lichen/message.h). At the kernel level. */
#ifndef KERNEL_THREAD_MESSAGE_H
#define KERNEL_THREAD_MESSAGE_H

#include <stdbool.h>

#include <lichen/message.h>
#include <lichen/notify.h>

#include "kernel/time/deadline.h"

/* Takes a message out of every list without ending its call. */
void message_cancel(struct message *message);

/* Puts a message of a list behind those of at least its thread's priority. */
void message_insert(struct message **list, struct message *message);

/* Takes a message out of its list. */
void message_remove(struct message *message);

/* A thread that waits directly for a notification has no message; its control block points to the
 * notification instead, with bit 0 set.
 */
static inline struct message *message_of_notify(struct notify *notify)
{
    return (struct message *)((uintptr_t)notify | 1u);
}

/* The notification that a control block's message stands for, or 0. */
static inline struct notify *message_notify(const struct message *message)
{
    uintptr_t address = (uintptr_t)message;
    return (address & 1u) ? (struct notify *)(address - 1u) : 0;
}

#endif
