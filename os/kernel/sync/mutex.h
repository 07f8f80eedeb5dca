/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Mutexes as the kernel sees them. At the kernel level. */
#ifndef KERNEL_SYNC_MUTEX_H
#define KERNEL_SYNC_MUTEX_H

#include <stddef.h>

#include <lichen/mutex.h>
#include <lichen/thread.h>

/* All mutexes of the image, placed by the linker. Programs that were loaded have their own
 * (kernel/program/program.h). */
extern struct mutex mutexes_begin[], mutexes_end[];

/* Its owner; 0: none. */
static inline struct thread *mutex_owner(const struct mutex *mutex)
{
    return (struct thread *)(mutex->owner & ~(uintptr_t)MUTEX_CONTENDED);
}

/* `cancel` of calls that wait for a mutex, and of no others. */
void mutex_cancel(struct syscall *call);

/* The mutex that a pending call waits for, or 0. */
static inline struct mutex *mutex_of(const struct syscall *call)
{
    return call->cancel == mutex_cancel ? call->object : 0;
}

/* Locks the call's mutex, or lets the call wait for it. In programs that say PANIC_ON_DEADLOCK,
 * mutex_service looks for a deadlock first (mutex_deadlock.c). mutex_take_here is mutex_take, or
 * what takes the mutexes of loaded programs, too.
 * returns   as mutex_service
 */
int mutex_take_here(void *call);
int mutex_take(void *call);
int mutex_take_of_programs(void *call);
int mutex_take_checked(void *call);

/* Abandons those mutexes of a range that a thread holds. */
void mutexes_abandon_in(struct mutex *begin, const struct mutex *end, const struct thread *thread);

/* Unlocks a mutex of the running thread. */
void mutex_give(void *mutex);

#endif
