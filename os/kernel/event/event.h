/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Events and notifications as the kernel sees them. At the kernel level. */
#ifndef KERNEL_EVENT_EVENT_H
#define KERNEL_EVENT_EVENT_H

#include <stdbool.h>

#include <lichen/assert.h>
#include <lichen/event.h>
#include <lichen/notify.h>

/* Posts an event. */
void event_post_service(void *event);

/* Runs and delivers all that has been posted, the most urgent level first, and what is posted
 * meanwhile. Outside of any event. For architectures that do not do it in assembly.
 */
void kernel_deliver(void);

/* `thread` waits in a call for the notification, or is paused, so notify_deliver_rare must handle
 * it. The architecture wakes all others by itself. */
static inline void notify_slow(struct notify *notify, struct thread *thread)
{
    notify->waiter = (struct thread *)((uintptr_t)thread | (uintptr_t)NOTIFY_SET);
}

/* Consumes a notification's flag if it is set; asserts that no thread waits.
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
