/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How threads lock mutexes, take from semaphores and give to them, in C, where the architecture has
 * no shorter way. */
#include <lichen/mutex.h>
#include <lichen/semaphore.h>

#include <lichen/kernel.h>

#include "arch/arch.h"

int mutex_enter(struct mutex *mutex)
{
    return mutex_lock_contended(mutex);
}

int mutex_leave(struct mutex *mutex)
{
    mutex_unlock_contended(mutex);
    return 0;
}

int semaphore_take(struct semaphore *semaphore)
{
    return syscall_run_on(semaphore_service, semaphore);
}

static int try_take(void *semaphore)
{
    return semaphore_try_in_event(semaphore);
}

int semaphore_try_take(struct semaphore *semaphore)
{
    return kernel_run(try_take, semaphore);
}

static int give(void *semaphore)
{
    return semaphore_give_in_event(semaphore);
}

int semaphore_give(struct semaphore *semaphore)
{
    return kernel_run(give, semaphore);
}
