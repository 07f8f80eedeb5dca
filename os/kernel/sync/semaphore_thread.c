/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How threads take from a semaphore and give to it, in C. */
#include <lichen/semaphore.h>

#include <lichen/kernel.h>

#include "arch/arch.h"

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
