/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the kernel itself does with messages (lichen/message.h). At the kernel level. */
#ifndef KERNEL_THREAD_MESSAGE_H
#define KERNEL_THREAD_MESSAGE_H

#include <stdbool.h>

#include <lichen/message.h>
#include <lichen/notify.h>

#include "kernel/time/deadline.h"

/* What all ways into a call share; inlined, since a function would cost each of them a quarter
 * more.
 * expire    0: the call has no deadline
 */
static inline __attribute__((always_inline)) int
message_enter(arch_call_fn *call, struct message *message, deadline_fn *expire)
{
    message->deadline.expire = expire;
    message->list = 0;
    message->cancel = 0;
    message->result = 0;
    int error = arch_kernel_call(call, message);
    return error != 0 ? error : message->result;
}

/* The deadline of a message has passed: its call ends. */
void message_expire(struct deadline *passed, uint64_t reached);

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

/* Whether a control block's message stands for a notification. */
static inline bool message_is_notify(const struct message *message)
{
    return (uintptr_t)message & 1u;
}

/* The notification that it stands for. */
static inline struct notify *message_notify(const struct message *message)
{
    return (struct notify *)((uintptr_t)message - 1u);
}

#endif
