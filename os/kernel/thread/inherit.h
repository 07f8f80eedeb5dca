/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How priorities follow from mutexes: those of the image, and in images that load programs those of
 * programs, too (kernel/program/mutexes.c). */
#ifndef KERNEL_THREAD_INHERIT_H
#define KERNEL_THREAD_INHERIT_H

#include "kernel/sync/mutex.h"
#include "kernel/thread/ready.h"
#include "kernel/thread/syscall.h"
#include "kernel/thread/thread.h"

/* The priority, or a higher one that a thread inherits through mutexes of a range. */
static inline __attribute__((always_inline)) uint_fast8_t
priority_through(const struct mutex *begin, const struct mutex *end, const struct thread *thread,
                 uint_fast8_t priority)
{
    for (const struct mutex *mutex = begin; mutex != end; mutex++) {
        if (mutex->waiting != 0 && mutex_owner(mutex) == thread) {
            uint_fast8_t inherited = mutex->waiting->thread->priority;
            priority = inherited > priority ? inherited : priority;
        }
    }
    return priority;
}

/* The owner of the mutex that a call waits for, or 0. */
typedef struct thread *owner_fn(const struct syscall *call);

/* Returns the thread whose priority may have to change in turn, or 0. */
static inline __attribute__((always_inline)) struct thread *
priority_change(owner_fn *owner_waited_for, struct thread *thread, uint_fast8_t priority)
{
    if (thread->state == THREAD_READY) {
        ready_move(thread, priority);
        return 0;
    }
    thread->priority = (uint8_t)priority;
    struct syscall *call = thread->syscall;
    if (!(thread->state & THREAD_WAITING) || syscall_is_notify(call) || call->list == 0) {
        return 0;
    }
    syscall_remove(call);
    syscall_insert(call->list, call);
    return owner_waited_for(call);
}

/* thread_reprioritize, by the priority that a thread should have. */
typedef uint_fast8_t priority_due_fn(const struct thread *thread);
static inline __attribute__((always_inline)) void
thread_reprioritize_by(priority_due_fn *due, owner_fn *owner_waited_for, struct thread *thread)
{
    do {
        uint_fast8_t priority = due(thread);
        thread = priority != thread->priority
                     ? priority_change(owner_waited_for, thread, priority)
                     : 0;
    } while (thread != 0);
}

#endif
