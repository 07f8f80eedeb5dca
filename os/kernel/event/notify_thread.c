/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Notifications in C, where the architecture has no shorter way: delivering one, and how threads
 * give one and wait for one.
 */
#include <lichen/notify.h>

#include "arch/arch.h"
#include "kernel/event/event.h"
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

static void give(void *notify)
{
    notify_deliver(notify);
}

int notify_give(struct notify *notify)
{
    arch_kernel_do(give, notify);
    return 0;
}

static int wait_here(void *notify_)
{
    struct notify *notify = notify_;
    if (!notify_take(notify)) {
        struct thread *thread = kernel.current;
        notify->waiter = thread;
        thread->syscall = syscall_of_notify(notify);
        thread->state = THREAD_WAITING;
        ready_leave(thread);
    }
    return 0;
}

void notify_wait_in_kernel(struct notify *notify)
{
    (void)arch_kernel_call(wait_here, notify);
}
