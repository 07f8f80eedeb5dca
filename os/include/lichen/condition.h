/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Condition variables: waiting for a change in the data that a mutex protects.
 *
 *     MUTEX(table_lock);
 *     CONDITION(table_changed);
 *     ... mutex_lock(&table_lock);
 *         while (!ready(table)) { condition_wait(&table_changed, &table_lock); }
 *         ...; mutex_unlock(&table_lock); ...
 *
 * A signal is lost if no thread waits. Other threads may hold the mutex between a signal and the
 * return of the wait, so a waiting thread tests its condition in a loop.
 */
#ifndef LICHEN_CONDITION_H
#define LICHEN_CONDITION_H

#include <lichen/error.h>
#include <lichen/loaded.h>
#include <lichen/mutex.h>
#include <lichen/syscall.h>
#include <lichen/time.h>

/* A condition. Written at the kernel level only. It may also be made by hand, filled with zeros, if
 * it outlives every wait. */
struct condition {
    struct syscall *waiting; /* the calls that wait, most urgent first */
};

/* Declares a condition. */
#define CONDITION(name) struct condition name OBJECT_PLACED(condition, name) = {.waiting = 0}

/* A call that waits for a signal. */
struct condition_call {
    struct syscall syscall; /* its object is the condition */
    struct mutex *mutex;
};

/* The part of waiting that runs at the kernel level; the argument is the call above.
 * returns   0
 * context   event (in a call)
 * blocks    no
 */
int condition_service(void *condition_call);

/* Locks the mutex again after a wait that ended with `error`.
 * returns   what the caller is to return: the error of locking if there is one, else `error`
 * context   thread
 * blocks    yes
 */
int condition_end(struct mutex *mutex, int error);

/* Unlocks the mutex and waits for a signal, atomically with respect to signals; then locks the
 * mutex again.
 * mutex     locked by the caller, else asserts
 * returns   0, or ERR_ABANDONED as mutex_lock does; the mutex is locked
 * context   thread
 * blocks    yes
 */
int condition_wait(struct condition *condition, struct mutex *mutex);

/* As condition_wait, but waits for a signal until the deadline at most; locking the mutex again may
 * take longer.
 * deadline  microseconds of the system clock
 * returns   0, ERR_TIMEOUT, or ERR_ABANDONED as mutex_lock does; the mutex is locked
 * context   thread
 * blocks    yes
 */
MUST_CHECK static inline int condition_wait_until(struct condition *condition, struct mutex *mutex,
                                                  uint64_t deadline)
{
    struct condition_call call;
    call.syscall.object = condition;
    call.mutex = mutex;
    return condition_end(mutex, syscall_run_until(condition_service, &call.syscall, deadline));
}

/* Wakes the most urgent waiting thread, if any waits. The mutex need not be locked.
 * context   event, thread, coop
 * blocks    no
 */
void condition_signal(struct condition *condition);

/* Wakes all waiting threads.
 * context   event, thread, coop
 * blocks    no       cost  O(n) waiting threads
 */
void condition_broadcast(struct condition *condition);

#endif
