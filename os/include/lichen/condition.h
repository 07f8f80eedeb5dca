/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Condition variables: waiting for a change of what a mutex protects.
 *
 *     MUTEX(table_lock);
 *     CONDITION(table_changed);
 *     ... mutex_lock(&table_lock);
 *         while (!ready(table)) { condition_wait(&table_changed, &table_lock); }
 *         ...; mutex_unlock(&table_lock); ...
 *
 * A signal that nobody waits for is lost. Between a signal and the return of the wait others may
 * have had the mutex, so a waiting thread looks again, in a loop.
 */
#ifndef LICHEN_CONDITION_H
#define LICHEN_CONDITION_H

#include <lichen/error.h>
#include <lichen/mutex.h>
#include <lichen/time.h>

/* A condition. Written at the kernel level only. It may also be made by hand, of zeros, if it
 * outlives every wait. */
struct condition {
    struct message *waiting; /* the calls that wait, most urgent first */
};

/* Declares a condition. */
#define CONDITION(name) struct condition name = {.waiting = 0}

/* Unlocks the mutex and waits for a signal, in one step that no signal can come between; then locks
 * the mutex again.
 * mutex     locked by the caller, else asserts
 * returns   0, or ERR_ABANDONED as mutex_lock does; the mutex is locked
 * context   thread
 * blocks    yes
 */
int condition_wait(struct condition *condition, struct mutex *mutex);

/* The same, waiting for a signal until a moment at most; locking may take longer.
 * deadline  microseconds of the system clock
 * returns   0, ERR_TIMEOUT, or ERR_ABANDONED as mutex_lock does; the mutex is locked
 * context   thread
 * blocks    yes
 */
MUST_CHECK int condition_wait_until(struct condition *condition, struct mutex *mutex,
                                    uint64_t deadline);

/* Wakes the most urgent waiting thread, if any waits. The mutex need not be locked.
 * context   event, thread
 * blocks    no
 */
void condition_signal(struct condition *condition);

/* Wakes all waiting threads.
 * context   event, thread
 * blocks    no       cost  O(n) waiting threads
 */
void condition_broadcast(struct condition *condition);

#endif
