/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The end of a thread, and waiting for it. */
#include "kernel/thread/thread.h"

#include <lichen/assert.h>
#include <lichen/kernel.h>

#include "arch/arch.h"
#include "kernel/start.h"
#include "kernel/thread/ready.h"
#include "kernel/thread/syscall.h"

NEEDS(threads_declared); /* every declaration of a thread needs this file */

/* A program without mutexes has none to abandon. */
__attribute__((weak)) void mutexes_abandon(const struct thread *thread)
{
    (void)thread;
}

/* And one that makes no threads has no list of them. */
__attribute__((weak)) void thread_forget(const struct thread *thread)
{
    (void)thread;
}

static struct syscall *joining; /* the calls that wait for threads to end, whichever */

/* A thread that is not on the ready list and waits: removes it from what it waits for. */
static void stop_waiting(const struct thread *thread)
{
    if (syscall_is_notify(thread->call)) {
        syscall_notify(thread->call)->waiter = 0;
    } else {
        syscall_cancel(thread->call);
    }
}

static void end_joins(const struct thread *thread)
{
    struct syscall *next;
    for (struct syscall *call = joining; call != 0; call = next) {
        next = call->next;
        if (call->object == thread) {
            syscall_end(call, 0);
        }
    }
}

static void end(void *argument)
{
    struct thread *thread = argument;
    uint8_t state = thread->state;
    if (state == THREAD_STOPPED) {
        return;
    }
    if (state == THREAD_READY) {
        ready_remove(thread);
    } else if (state & THREAD_WAITING) {
        stop_waiting(thread);
    }
    thread_prepare(thread);
    mutexes_abandon(thread);
    thread_forget(thread);
    end_joins(thread);
}

void thread_destroy(struct thread *thread)
{
    if (thread == kernel.current) {
        thread_exit();
    }
    arch_kernel_do(end, thread);
}

_Noreturn void thread_exit(void)
{
    arch_kernel_leave(end, kernel.current);
}

int thread_join_call(void *argument)
{
    struct syscall *call = argument;
    const struct thread *thread = call->object;
    assert(thread != kernel.current);
    return thread->state == THREAD_STOPPED ? 0 : syscall_wait_in(call, &joining);
}

void thread_join(struct thread *thread)
{
    (void)syscall_run_on(thread_join_call, thread);
}
