/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Direct notification. The architecture delivers the usual case, a thread that waits without a
 * deadline, without coming here.
 *
 * `waiter` is the whole state: 0, NOTIFY_SET, a waiting thread, or a thread with bit 0 set, which
 * waits in a call with a deadline, or is paused. The architecture distinguishes the cases by bit 0.
 */
#include <lichen/notify.h>

#include <lichen/kernel.h>

#include "arch/arch.h"
#include "kernel/event/event.h"
#include "kernel/thread/syscall.h"
#include "kernel/thread/ready.h"

static struct thread *thread_of(struct thread *waiter)
{
    return (struct thread *)((uintptr_t)waiter & ~(uintptr_t)NOTIFY_SET);
}

void notify_deliver_rare(struct notify *notify)
{
    struct thread *thread = thread_of(notify->waiter);
    if (thread == 0) {
        notify->waiter = NOTIFY_SET;
        return;
    }
    notify->waiter = 0;
    if (syscall_is_notify(thread->syscall)) {
        thread_wake(thread, ready_insert);
    } else {
        syscall_end(thread->syscall, 0);
    }
}

static void cancel(struct syscall *call)
{
    struct notify *notify = call->object;
    notify->waiter = 0;
}

int notify_wait_service(void *argument)
{
    struct syscall *call = argument;
    struct notify *notify = call->object;
    if (!notify_take(notify)) {
        notify_slow(notify, kernel.current);
        call->cancel = cancel;
        (void)syscall_wait(call);
    }
    return 0;
}

void notify_wait_refused(void)
{
    assert(false); /* another thread waits */
}
