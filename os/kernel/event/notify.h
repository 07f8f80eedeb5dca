/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Which way a waiting thread is notified. At the kernel level. */
#ifndef KERNEL_EVENT_NOTIFY_H
#define KERNEL_EVENT_NOTIFY_H

#include <lichen/notify.h>

/* `thread` waits, and may be woken by the architecture alone. */
static inline void notify_fast(struct notify *notify, struct thread *thread)
{
    notify->waiter = thread;
}

/* `thread` waits in a message, or is paused: notify_deliver_rare must look. */
static inline void notify_slow(struct notify *notify, struct thread *thread)
{
    notify->waiter = (struct thread *)((uintptr_t)thread | (uintptr_t)NOTIFY_SET);
}

#endif
