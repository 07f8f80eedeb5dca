/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A deadlock that ends the program. Linked where the program says PANIC_ON_DEADLOCK: then
 * mutex_service is this one, and otherwise that of mutex.c (os/features.cmake).
 *
 * Only a thread that begins to wait can close a circle: a mutex is passed on to a thread that waits
 * no longer. So one walk from the mutex it wants, along owners that wait without a deadline, finds
 * every circle at the moment it closes, and ends, since there is none in what it walks along.
 */
#include "kernel/sync/mutex.h"

#include <lichen/kernel.h>
#include <lichen/panic.h>

#include "arch/arch.h"
#include "kernel/thread/syscall.h"

/* PANIC_ON_DEADLOCK names it to link this file. */
extern const uint8_t panic_on_deadlock;
const uint8_t panic_on_deadlock = 0;

static bool ends_by_itself(const struct syscall *call)
{
    return call->deadline.expire != 0 && call->deadline.tick != DEADLINE_NEVER;
}

/* The mutex that a thread waits for until it gets it, or 0. */
static const struct mutex *mutex_awaited(const struct thread *thread)
{
    const struct syscall *call = thread->syscall;
    if (!(thread->state & THREAD_WAITING) || syscall_is_notify(call) || ends_by_itself(call)) {
        return 0;
    }
    return mutex_of(call);
}

/* Whether the owner of a mutex waits, directly or through others, for the calling thread. A mutex
 * that the caller itself owns is mutex_take's. */
static bool closes_circle(const struct mutex *mutex)
{
    const struct thread *owner = mutex_owner(mutex);
    while (owner != 0 && (mutex = mutex_awaited(owner)) != 0) {
        owner = mutex_owner(mutex);
        if (owner == kernel.current) {
            return true;
        }
    }
    return false;
}

int mutex_take_checked(void *argument)
{
    const struct syscall *call = argument;
    if (!ends_by_itself(call) && closes_circle(call->object)) {
        arch_panic(PANIC_DEADLOCK, (uintptr_t)call->object);
    }
    return mutex_take_here(argument);
}
