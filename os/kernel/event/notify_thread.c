/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How threads wait for notifications, in C. */
#include <lichen/notify.h>

#include "arch/arch.h"
#include "kernel/event/notify.h"
#include "kernel/thread/ready.h"
#include "kernel/thread/syscall.h"

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
