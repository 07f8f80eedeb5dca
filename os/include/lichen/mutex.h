/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Mutual exclusion of threads.
 *
 *     MUTEX(table_lock);
 *     ... mutex_lock(&table_lock); ...; mutex_unlock(&table_lock); ...
 *
 * While nobody contends, locking and unlocking happen in the thread, without the kernel. A thread
 * that holds a mutex inherits the priority of the most urgent thread that waits for it, through as
 * many mutexes as it takes. Waiting threads are served by priority, and in their order within one.
 *
 * Locking twice asserts, and so does unlocking what another thread, or nobody, has locked. Events
 * cannot wait: `lichen build` refuses a program in which one locks or unlocks. Where it does so
 * unseen, through a pointer, locking a mutex that is not free panics (PANIC_CONTEXT), and a free
 * one is locked for the thread that the event interrupts. When a thread ends that holds a mutex,
 * the next one to lock it gets it together with ERR_ABANDONED, for what it protects may be half
 * changed.
 *
 * Mutexes are declared, so that the kernel finds those of a thread that ends: `lichen build`
 * refuses one made by hand, as a variable, a member or on a stack. Memory that only a cast makes a
 * mutex is not seen, and asserts when it is first contended.
 */
#ifndef LICHEN_MUTEX_H
#define LICHEN_MUTEX_H

#include <stdint.h>

#include <lichen/arch.h>
#include <lichen/error.h>

struct message;

/* A mutex. A thread writes `owner` from 0 to itself and back; everything else is the kernel
 * level's. */
struct mutex {
    struct message *waiting; /* the calls that wait, most urgent first */
    uintptr_t owner; /* 0: free; a thread; its address and MUTEX_CONTENDED; MUTEX_ABANDONED */
};

/* In mutex.owner: somebody waits, so that unlocking goes through the kernel. */
#define MUTEX_CONTENDED 1u

/* Value of mutex.owner: free, and its last owner ended while it held it. */
#define MUTEX_ABANDONED 1u

/* Declares a mutex, free; or an array of them: MUTEX(forks[5]). */
#define MUTEX(name) struct mutex name __attribute__((section(".bss.lichen_mutexes")))

/* Locks, waiting as long as another thread has it.
 * returns   0, or ERR_ABANDONED: locked, but its last owner ended while it held it
 * context   thread
 * blocks    yes      cost  17 cycles if it is free [bench tosthreads/mutex]
 */
static inline int mutex_lock(struct mutex *mutex)
{
    return ARCH_MUTEX_CALL(mutex_enter, mutex);
}

/* The same until a moment at most.
 * deadline  microseconds of the system clock; the past only tries
 * returns   0, ERR_TIMEOUT, or ERR_ABANDONED as above
 * context   thread
 * blocks    yes
 */
MUST_CHECK int mutex_lock_until(struct mutex *mutex, uint64_t deadline);

/* Locks if it is free.
 * returns   0, ERR_BUSY, or ERR_ABANDONED as above
 * context   thread
 * blocks    no
 */
MUST_CHECK int mutex_try(struct mutex *mutex);

/* Unlocks. The most urgent waiting thread has it at once.
 * context   thread (the one that locked it)
 * blocks    no       cost  17 cycles if nobody waits [bench tosthreads/mutex]; else O(n) mutexes
 */
static inline void mutex_unlock(struct mutex *mutex)
{
    (void)ARCH_MUTEX_CALL(mutex_leave, mutex);
}

/* The part of mutex_lock for a mutex that is not free, called by os/arch.
 * returns   as mutex_lock
 * context   thread
 * blocks    yes
 */
int mutex_lock_contended(struct mutex *mutex);

/* The part of mutex_unlock for a mutex that threads wait for, called by os/arch.
 * context   thread
 * blocks    no
 */
void mutex_unlock_contended(struct mutex *mutex);

#endif
