/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Mutexes as the kernel sees them. At the kernel level. */
#ifndef KERNEL_SYNC_MUTEX_H
#define KERNEL_SYNC_MUTEX_H

#include <lichen/mutex.h>
#include <lichen/thread.h>

/* All mutexes of the program, placed by the linker. */
extern struct mutex mutexes_begin[], mutexes_end[];

/* Its owner; 0: none. */
static inline struct thread *mutex_owner(const struct mutex *mutex)
{
    return (struct thread *)(mutex->owner & ~(uintptr_t)MUTEX_CONTENDED);
}

/* Unlocks a mutex of the running thread. */
void mutex_give(void *mutex);

#endif
