/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Mutexes that are contended, or locked until a moment; the rest is the architecture's
 * (os/arch/armv6m/mutex.S).
 *
 * The kernel interrupts a thread anywhere in locking or unlocking, and the architecture
 * lets a thread that was interrupted between its look at `owner` and its store look again. So what
 * the kernel level finds in `owner` is always what the threads mean.
 */
#include "kernel/sync/mutex.h"

#include <lichen/assert.h>
#include <lichen/kernel.h>
#include "arch/arch.h"
#include "kernel/sync/call.h"
#include "kernel/thread/thread.h"

/* Locks if it is free. */
static int take(void *argument)
{
    struct mutex *mutex = argument;
    if (mutex_owner(mutex) != 0) {
        return ERR_BUSY;
    }
    int error = mutex->owner == MUTEX_ABANDONED ? ERR_ABANDONED : 0;
    mutex->owner = (uintptr_t)kernel.current;
    return error;
}

/* A call that waited has left the list: its priority is not inherited any more. If it was the last,
 * the mutex stays marked as contended, and its next unlock goes through the kernel for nothing. */
static void cancel(struct message *message)
{
    thread_reprioritize(mutex_owner(message->object));
}

int mutex_call(void *argument)
{
    struct message *message = argument;
    struct mutex *mutex = message->object;
    int error = take(mutex);
    if (error != ERR_BUSY) {
        return error;
    }
    assert(mutex >= mutexes_begin && mutex < mutexes_end);
    assert(mutex_owner(mutex) != kernel.current);
    mutex->owner |= MUTEX_CONTENDED;
    message->cancel = cancel;
    (void)message_wait_in(message, &mutex->waiting);
    thread_reprioritize(mutex_owner(mutex));
    return 0;
}

/* Hands over to the most urgent waiting thread, if there is one. That one inherits nothing: those
 * who still wait are no more urgent. Who had it loses what it inherited before the other becomes
 * ready, so that the two are not taken for equals. free      value of the owner if there is none */
static void pass_on(struct mutex *mutex, uintptr_t free, int result)
{
    struct thread *had = mutex_owner(mutex);
    struct message *first = mutex->waiting;
    if (first == 0) {
        mutex->owner = free;
        return;
    }
    mutex->owner = (uintptr_t)first->thread | (first->next != 0 ? MUTEX_CONTENDED : 0);
    thread_reprioritize(had);
    message_end(first, result);
}

void mutex_give(void *argument)
{
    struct mutex *mutex = argument;
    assert(mutex_owner(mutex) == kernel.current);
    pass_on(mutex, 0, 0);
}

void mutexes_abandon(const struct thread *thread)
{
    for (struct mutex *mutex = mutexes_begin; mutex != mutexes_end; mutex++) {
        if (mutex_owner(mutex) == thread) {
            pass_on(mutex, MUTEX_ABANDONED, ERR_ABANDONED);
        }
    }
}

int mutex_lock_contended(struct mutex *mutex)
{
    return message_do(mutex_call, mutex);
}

void mutex_unlock_contended(struct mutex *mutex)
{
    arch_kernel_do(mutex_give, mutex);
}

int mutex_try(struct mutex *mutex)
{
    return arch_kernel_call(take, mutex);
}
