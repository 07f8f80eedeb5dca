/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Whatever a thread is doing, it does no more. All functions run at the kernel level. */
#ifndef KERNEL_THREAD_HALT_H
#define KERNEL_THREAD_HALT_H

#include "kernel/thread/ready.h"
#include "kernel/thread/syscall.h"
#include "kernel/thread/thread.h"

/* Removes a waiting thread from what it waits for. */
static inline void thread_stop_waiting(const struct thread *thread)
{
    if (syscall_is_notify(thread->syscall)) {
        syscall_notify(thread->syscall)->waiter = 0;
    } else {
        syscall_cancel(thread->syscall);
    }
}

/* Stops a thread that is not stopped: what it waits for and what it holds are without it, and its
 * stack is as before its start. */
static inline void thread_halt(struct thread *thread)
{
    uint8_t state = thread->state;
    if (state == THREAD_READY) {
        ready_remove(thread);
    } else if (state & THREAD_WAITING) {
        thread_stop_waiting(thread);
    }
    thread_prepare(thread);
    mutexes_abandon(thread);
}

#endif
