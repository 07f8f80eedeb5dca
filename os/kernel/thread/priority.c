/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Priorities that change: set by a program, or inherited.
 *
 * Inherited priority is not recorded. It is computed by a scan of all mutexes whenever something
 * changes that it depends on: which threads wait for a mutex, which thread holds it, or the
 * priority of either. So it cannot be wrong after a timeout, a thread's end, or several mutexes
 * released in any order. A mote has a handful of mutexes, and the scan is the only time that the
 * kernel touches uncontended ones.
 */
#include "kernel/thread/thread.h"

#include <lichen/assert.h>
#include <lichen/kernel.h>

#include "kernel/thread/inherit.h"

static inline __attribute__((always_inline)) uint_fast8_t
priority_due(const struct thread *thread)
{
    return priority_through(mutexes_begin, mutexes_end, thread, thread->base);
}

/* It waits in the list with which a mutex begins. */
static struct thread *owner_waited_for(const struct syscall *call)
{
    const struct mutex *mutex = (const struct mutex *)(const void *)call->list;
    return mutex >= mutexes_begin && mutex < mutexes_end ? mutex_owner(mutex) : 0;
}
_Static_assert(offsetof(struct mutex, waiting) == 0, "a mutex begins with its list");

void thread_reprioritize_declared(struct thread *thread)
{
    thread_reprioritize_by(priority_due, owner_waited_for, thread);
}

/* A stopped thread has its declared priority, with which it starts. */
static void set(void *thread_, void *priority_)
{
    struct thread *thread = thread_;
    uint8_t priority = (uint8_t)(uintptr_t)priority_;
    if (thread->state != THREAD_STOPPED && thread->base != priority) {
        thread->base = priority;
        thread->slices = 0;
        thread_reprioritize(thread);
    }
}

void thread_set_priority(struct thread *thread, uint8_t priority)
{
    assert(priority > PRIORITY_IDLE && priority <= PRIORITY_MAX);
    assert(thread->base != PRIORITY_IDLE); /* the idle thread, which runs cooperative ones */
    (void)kernel_run_with((arch_call_with_fn *)(uintptr_t)set, thread, (void *)(uintptr_t)priority);
}
