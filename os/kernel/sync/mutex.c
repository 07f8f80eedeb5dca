/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Mutexes that are contended, or locked with a deadline; the rest is the architecture's
 * (mutex_enter and mutex_leave).
 *
 * The kernel level may interrupt a thread anywhere in locking or unlocking, and may change `owner`
 * then. A thread that it has switched out between the read of `owner` and the store reads it again
 * (a restartable sequence, arch/arch.h), so no thread stores what it has derived from an old value.
 */
#include "kernel/sync/take.h"

#include <lichen/assert.h>
#include <lichen/kernel.h>
#include "arch/arch.h"
#include "kernel/start.h"
#include "kernel/thread/thread.h"

NEEDS(thread_reprioritize_declared);

/* A call that waited has left the list: its priority is no longer inherited. If it was the last,
 * the mutex stays marked as contended, and its next unlock goes through the kernel unnecessarily.
 */
void mutex_cancel(struct syscall *call)
{
    thread_reprioritize(mutex_owner(call->object));
}

int mutex_take(void *argument)
{
    struct syscall *call = argument;
    struct mutex *mutex = call->object;
    int error = try_lock(mutex);
    if (error != ERR_BUSY) {
        return error;
    }
    assert(mutex >= mutexes_begin && mutex < mutexes_end);
    return mutex_await(call, mutex);
}

/* Hands the mutex over to the most urgent waiting thread, if there is one. The new owner inherits
 * no priority: the threads that still wait are no more urgent. The old owner loses the priority it
 * inherited before the new one becomes ready, so that the two are not treated as equals.
 * free      value of the owner if no thread waits
 */
static void pass_on(struct mutex *mutex, uintptr_t free, int result)
{
    struct thread *had = mutex_owner(mutex);
    struct syscall *first = mutex->waiting;
    if (first == 0) {
        mutex->owner = free;
        return;
    }
    mutex->owner = (uintptr_t)first->thread | (first->next != 0 ? MUTEX_CONTENDED : 0);
    thread_reprioritize(had);
    syscall_end(first, result);
}

void mutex_give(void *argument)
{
    struct mutex *mutex = argument;
    assert(mutex_owner(mutex) == kernel.current); /* else the caller has not locked it */
    pass_on(mutex, 0, 0);
}

static inline __attribute__((always_inline)) void
abandon(struct mutex *begin, const struct mutex *end, const struct thread *thread)
{
    for (struct mutex *mutex = begin; mutex != end; mutex++) {
        if (mutex_owner(mutex) == thread) {
            pass_on(mutex, MUTEX_ABANDONED, ERR_ABANDONED);
        }
    }
}

void mutexes_abandon_all(const struct thread *thread)
{
    abandon(mutexes_begin, mutexes_end, thread);
}

void mutexes_abandon_in(struct mutex *begin, const struct mutex *end, const struct thread *thread)
{
    abandon(begin, end, thread);
}

int mutex_lock_contended(struct mutex *mutex)
{
    return syscall_run_on(mutex_service, mutex);
}

void mutex_unlock_contended(struct mutex *mutex)
{
    arch_kernel_do(mutex_give, mutex);
}

int mutex_try(struct mutex *mutex)
{
    return arch_kernel_call(try_lock, mutex);
}
