/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Counting semaphores. Either the count is not 0 or calls wait, never both. */
#include <lichen/semaphore.h>

#include <lichen/kernel.h>

#include "kernel/sync/call.h"

static int take(void *argument)
{
    struct semaphore *semaphore = argument;
    if (semaphore->count == 0) {
        return ERR_EMPTY;
    }
    semaphore->count--;
    return 0;
}

int semaphore_call(void *argument)
{
    struct message *message = argument;
    struct semaphore *semaphore = message->object;
    return take(semaphore) == 0 ? 0 : message_wait_in(message, &semaphore->waiting);
}

static int post(void *argument)
{
    struct semaphore *semaphore = argument;
    if (semaphore->waiting != 0) {
        message_end(semaphore->waiting, 0);
        return 0;
    }
    if (semaphore->count == UINT16_MAX) {
        return ERR_FULL;
    }
    semaphore->count++;
    return 0;
}

void semaphore_wait(struct semaphore *semaphore)
{
    (void)message_do(semaphore_call, semaphore);
}

int semaphore_try(struct semaphore *semaphore)
{
    return kernel_run(take, semaphore);
}

int semaphore_post(struct semaphore *semaphore)
{
    return kernel_run(post, semaphore);
}
