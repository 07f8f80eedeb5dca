/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Notifications in C: what an interrupt has notified, and what a thread notifies and waits for. */
#include <lichen/notify.h>

#include "arch/arch.h"
#include "kernel/event/notify.h"
#include "kernel/thread/ready.h"
#include "kernel/thread/syscall.h"

static bool is_usual(const struct thread *waiter)
{
    return waiter != 0 && ((uintptr_t)waiter & (uintptr_t)NOTIFY_SET) == 0;
}

void notify_deliver(struct event *event)
{
    struct notify *notify = (struct notify *)(void *)event;
    struct thread *waiter = notify->waiter;
    if (is_usual(waiter)) {
        notify->waiter = 0;
        ready_insert_inline(waiter);
    } else {
        notify_deliver_rare(notify);
    }
}
_Static_assert(offsetof(struct notify, event) == 0, "a notification begins with its event");
