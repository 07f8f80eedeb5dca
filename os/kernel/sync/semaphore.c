/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The parts of counting semaphores that are not restartable sequences (arch/arch.h):
 * waits with a deadline, and calls in events. The count is 0 while a call waits. */
#include <lichen/semaphore.h>

#include <lichen/kernel.h>

#include "arch/arch.h"

static int take_one(struct semaphore *semaphore)
{
    if (semaphore->count == 0) {
        return ERR_EMPTY;
    }
    semaphore->count--;
    return 0;
}

int semaphore_service(void *argument)
{
    struct syscall *call = argument;
    struct semaphore *semaphore = call->object;
    return take_one(semaphore) == 0 ? 0 : syscall_wait_in(call, &semaphore->waiting);
}

int semaphore_try_in_event(struct semaphore *semaphore)
{
    sequence_restart();
    return take_one(semaphore);
}

int semaphore_give_in_event(struct semaphore *semaphore)
{
    sequence_restart();
    if (semaphore->waiting != 0) {
        syscall_end(semaphore->waiting, 0);
        return 0;
    }
    if (semaphore->count == UINT16_MAX) {
        return ERR_FULL;
    }
    semaphore->count++;
    return 0;
}
