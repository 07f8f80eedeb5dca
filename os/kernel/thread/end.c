/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The end of a thread. Linked if a declared thread can return, if one calls thread_exit, is
 * destroyed or is made at run time. */
#include "kernel/thread/thread.h"

#include <lichen/kernel.h>

#include "arch/arch.h"
#include "kernel/thread/halt.h"

/* A program without mutexes has none to abandon. */
void mutexes_abandon_none(const struct thread *thread)
{
    (void)thread;
}

/* A program that makes no threads at run time has no list of them. */
void thread_forget_none(const struct thread *thread)
{
    (void)thread;
}

/* In a program without joins, no thread waits for the end of another. */
void joins_end_none(const struct thread *thread)
{
    (void)thread;
}

void thread_end_service(void *argument)
{
    struct thread *thread = argument;
    if (thread->state == THREAD_STOPPED) {
        return;
    }
    thread_halt(thread);
    thread_forget(thread);
    thread_ended(thread);
}

void thread_destroy(struct thread *thread)
{
    if (thread == kernel.current) {
        thread_exit();
    }
    arch_kernel_do(thread_end_service, thread);
}

_Noreturn void thread_exit(void)
{
    arch_kernel_leave(thread_end_service, kernel.current);
}
