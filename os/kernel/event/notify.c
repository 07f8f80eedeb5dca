/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Direct notification. The usual case, a thread that waits without a deadline, is delivered by the
 * architecture without coming here.
 *
 * `waiter` is the whole state: 0, NOTIFY_SET, a waiting thread, or a thread with bit 0 set, which
 * waits in a message with a deadline, or is paused. The architecture tells the cases apart by bit
 * 0.
 */
#include <lichen/notify.h>

#include <lichen/kernel.h>

#include "arch/arch.h"
#include "kernel/event/notify.h"
#include "kernel/thread/message.h"
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
    if (message_is_notify(thread->message)) {
        thread_wake(thread, ready_insert);
    } else {
        message_end(thread->message, 0);
    }
}

void notify_post_from_thread(struct notify *notify)
{
    arch_kernel_do((arch_do_fn *)(uintptr_t)notify_deliver, notify);
}

void notify_wait_call(void *argument)
{
    struct notify *notify = argument;
    struct thread *thread = kernel.current;
    if (!notify_take(notify)) {
        notify->waiter = thread;
        thread->message = message_of_notify(notify);
        thread->state = THREAD_WAITING;
        ready_remove(thread);
    }
}
