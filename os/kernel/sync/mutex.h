/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Mutexes as the kernel sees them. At the kernel level. */
#ifndef KERNEL_SYNC_MUTEX_H
#define KERNEL_SYNC_MUTEX_H

#include <stddef.h>

#include <lichen/mutex.h>
#include <lichen/thread.h>

/* All mutexes of the program, placed by the linker. */
extern struct mutex mutexes_begin[], mutexes_end[];

/* Its owner; 0: none. */
static inline struct thread *mutex_owner(const struct mutex *mutex)
{
    return (struct thread *)(mutex->owner & ~(uintptr_t)MUTEX_CONTENDED);
}

/* The mutex in whose list a call waits, or 0. */
static inline struct mutex *mutex_of(struct syscall *const *list)
{
    struct mutex *mutex = (struct mutex *)(void *)list;
    return mutex >= mutexes_begin && mutex < mutexes_end ? mutex : 0;
}
_Static_assert(offsetof(struct mutex, waiting) == 0, "a mutex begins with its list");

/* Locks the call's mutex, or lets the call wait for it. In programs that say PANIC_ON_DEADLOCK,
 * mutex_service looks for a deadlock first (mutex_deadlock.c).
 * returns   as mutex_service
 */
int mutex_take(void *call);
int mutex_take_checked(void *call);

/* Unlocks a mutex of the running thread. */
void mutex_give(void *mutex);

#endif
