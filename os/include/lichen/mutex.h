/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Mutual exclusion between threads.
 *
 *     MUTEX(table_lock);
 *     ... mutex_lock(&table_lock); ...; mutex_unlock(&table_lock); ...
 *
 * Without contention, locking and unlocking happen in the thread, without the kernel. A thread that
 * holds a mutex inherits the priority of the most urgent thread that waits for it, transitively
 * through any number of mutexes. Waiting threads are served by priority, and in order of arrival
 * within one priority.
 *
 * Locking a mutex twice asserts, and so does unlocking one that the caller does not hold. Events
 * cannot wait: `lichen build` refuses a program in which an event locks or unlocks. If an event
 * does so through a pointer, which the build does not see, locking a mutex that is not free panics
 * (PANIC_CONTEXT), and a free one is locked for the thread that the event interrupted. If a thread
 * ends while it holds a mutex, the next thread to lock it gets it together with ERR_ABANDONED,
 * since the data it protects may be half changed.
 *
 * Threads that lock several mutexes in different orders can end up waiting for each other for ever.
 * `lichen run` names them; on a board they wait silently, unless the program says
 * PANIC_ON_DEADLOCK.
 *
 * Mutexes are declared statically, so that the kernel finds those that an ending thread holds:
 * `lichen build` refuses one made by hand, as a variable, a member or on a stack. Memory that is
 * made a mutex only by a cast is not detected, and asserts when it is first contended.
 */
#ifndef LICHEN_MUTEX_H
#define LICHEN_MUTEX_H

#include <stdint.h>

#include <lichen/arch.h>
#include <lichen/error.h>
#include <lichen/loaded.h>
#include <lichen/syscall.h>

/* A mutex. A thread writes `owner` from 0 to itself and back; everything else is written at the
 * kernel level. */
struct mutex {
    struct syscall *waiting; /* the calls that wait, most urgent first */
    uintptr_t owner; /* 0: free; a thread; its address and MUTEX_CONTENDED; MUTEX_ABANDONED */
};

/* In mutex.owner: a thread waits, so unlocking goes through the kernel. */
#define MUTEX_CONTENDED 1u

/* Value of mutex.owner: free, and its last owner ended while holding it. */
#define MUTEX_ABANDONED 1u

/* Declares a free mutex, or an array of them: MUTEX(forks[5]). */
#define MUTEX(name) struct mutex name OBJECT_PLACED_IN(".bss.lichen_mutexes", mutex, name)

/* Locks, waiting while another thread holds it.
 * returns   0, or ERR_ABANDONED: locked, but its last owner ended while holding it
 * context   thread
 * blocks    yes      cost  17 cycles if it is free [bench tosthreads/mutex]
 */
static inline __attribute__((always_inline)) int mutex_lock(struct mutex *mutex)
{
    return ARCH_SEQUENCE_CALL(mutex_enter, mutex);
}

/* Written in one of a program's files, makes a deadlock panic (PANIC_DEADLOCK): a thread that locks
 * a mutex whose owner waits for it, directly or through other owners, ends the program. Waits with
 * a deadline end by themselves and do not count. That another thread might destroy one of the
 * threads is not considered.
 * cost      O(n) threads that wait for each other, when a mutex is not free; when it is, none in
 *           mutex_lock, and 48 cycles in mutex_lock_until
 */
#define PANIC_ON_DEADLOCK                                                                          \
    NOT_LOADED(PANIC_ON_DEADLOCK, );                                                               \
    DECLARATION_NEEDS(panic_on_deadlock)

/* The part of mutex_lock_until that runs at the kernel level; the call's object is the mutex.
 * returns   as mutex_lock_until, if it need not wait
 * context   event (in a call)
 * blocks    no
 */
int mutex_service(void *syscall);

/* As mutex_lock, but waits until the deadline at most.
 * deadline  microseconds of the system clock; if it is past, only tries
 * returns   0, ERR_TIMEOUT, or ERR_ABANDONED as above
 * context   thread
 * blocks    yes
 */
MUST_CHECK static inline int mutex_lock_until(struct mutex *mutex, uint64_t deadline)
{
    return syscall_run_on_until(mutex_service, mutex, deadline);
}

/* Locks if it is free.
 * returns   0, ERR_BUSY, or ERR_ABANDONED as above
 * context   thread
 * blocks    no
 */
MUST_CHECK int mutex_try(struct mutex *mutex);

/* Unlocks. The most urgent waiting thread gets the mutex at once.
 * context   thread (the one that locked it)
 * blocks    no       cost  17 cycles if nobody waits [bench tosthreads/mutex]; else O(n) mutexes
 */
static inline __attribute__((always_inline)) void mutex_unlock(struct mutex *mutex)
{
    (void)ARCH_SEQUENCE_CALL(mutex_leave, mutex);
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
