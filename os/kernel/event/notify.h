/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Which way a waiting thread is notified. At the kernel level. */
#ifndef KERNEL_EVENT_NOTIFY_H
#define KERNEL_EVENT_NOTIFY_H

#include <lichen/notify.h>

/* `thread` waits in a message, or is paused: notify_deliver_rare must look. The architecture wakes
 * all others by itself. */
static inline void notify_slow(struct notify *notify, struct thread *thread)
{
    notify->waiter = (struct thread *)((uintptr_t)thread | (uintptr_t)NOTIFY_SET);
}

#endif
