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

#include "kernel/program/walk.h"
#include "kernel/sync/mutex.h"
#include "kernel/thread/syscall.h"
#include "kernel/thread/ready.h"

/* In images that load programs. */
#pragma weak programs

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

static inline uint_fast8_t priority_due(const struct thread *thread)
{
    return priority_through(mutexes_begin, mutexes_end, thread, thread->base);
}

static uint_fast8_t priority_due_of_programs(const struct thread *thread)
{
    uint_fast8_t priority = priority_due(thread);
    for (const struct program *program = programs; program != 0; program = program->next) {
        const struct mutex *mutexes = program_mutexes(program);
        priority = priority_through(mutexes, mutexes + program->header->mutexes, thread, priority);
    }
    return priority;
}

/* The owner of the mutex that a call waits for, or 0. */
static struct thread *owner_waited_for(const struct syscall *call)
{
    const struct mutex *mutex = mutex_of(call);
    return mutex != 0 ? mutex_owner(mutex) : 0;
}

/* Returns the thread whose priority may have to change in turn, or 0. */
static inline __attribute__((always_inline)) struct thread *change(struct thread *thread,
                                                                   uint_fast8_t priority)
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

static inline __attribute__((always_inline)) void
reprioritize(struct thread *thread, uint_fast8_t due(const struct thread *thread))
{
    do {
        uint_fast8_t priority = due(thread);
        thread = priority != thread->priority ? change(thread, priority) : 0;
    } while (thread != 0);
}

void thread_reprioritize_declared(struct thread *thread)
{
    reprioritize(thread, priority_due);
}

void thread_reprioritize_of_programs(struct thread *thread)
{
    reprioritize(thread, priority_due_of_programs);
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
