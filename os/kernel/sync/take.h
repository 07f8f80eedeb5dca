/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Locking at the kernel level: for mutexes of the image, and in images that load programs for those
 * of programs, too (kernel/program/mutexes.c). */
#ifndef KERNEL_SYNC_TAKE_H
#define KERNEL_SYNC_TAKE_H

#include "kernel/sync/mutex.h"

#include <lichen/assert.h>
#include <lichen/kernel.h>

#include "kernel/thread/thread.h"

/* Locks if it is free. Each file has its own: a function of the same file costs fewer registers. */
static int try_lock(void *argument)
{
    struct mutex *mutex = argument;
    if (mutex_owner(mutex) != 0) {
        return ERR_BUSY;
    }
    int error = mutex->owner == MUTEX_ABANDONED ? ERR_ABANDONED : 0;
    mutex->owner = (uintptr_t)kernel.current;
    return error;
}

/* Lets a call wait for a mutex that is not free. */
static inline __attribute__((always_inline)) int mutex_await(struct syscall *call,
                                                             struct mutex *mutex)
{
    assert(mutex_owner(mutex) != kernel.current); /* else the caller has locked it already */
    mutex->owner |= MUTEX_CONTENDED;
    call->cancel = mutex_cancel;
    (void)syscall_wait_in(call, &mutex->waiting);
    thread_reprioritize(mutex_owner(mutex));
    return 0;
}

#endif
