/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The word of a notification, `waiter`, as C changes it. At the kernel level. */
#ifndef KERNEL_EVENT_NOTIFY_H
#define KERNEL_EVENT_NOTIFY_H

#include <stdbool.h>

#include <lichen/assert.h>
#include <lichen/notify.h>

/* `thread` waits in a call, or is paused, so notify_deliver_rare must handle it. The architecture
 * wakes all others by itself. */
static inline void notify_slow(struct notify *notify, struct thread *thread)
{
    notify->waiter = (struct thread *)((uintptr_t)thread | (uintptr_t)NOTIFY_SET);
}

/* Consumes the flag if it is set; asserts that no thread waits.
 * returns   whether it was set
 */
static inline bool notify_take(struct notify *notify)
{
    bool set = notify->waiter == NOTIFY_SET;
    assert(set || notify->waiter == 0);
    notify->waiter = 0;
    return set;
}

#endif
