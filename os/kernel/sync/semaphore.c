/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Counting semaphores. Either the count is not 0 or calls wait, never both. */
#include <lichen/semaphore.h>

#include "arch/arch.h"
#include "kernel/sync/wait_list.h"

static int take(void *argument)
{
    struct semaphore *semaphore = argument;
    if (semaphore->count == 0) {
        return ERR_EMPTY;
    }
    semaphore->count--;
    return 0;
}

static void cancel(struct message *message)
{
    struct semaphore *semaphore = message->object;
    wait_list_remove(&semaphore->waiting, message);
}

static int wait(void *argument)
{
    struct message *message = argument;
    struct semaphore *semaphore = message->object;
    if (take(semaphore) != 0) {
        message_wait(message, DEADLINE_NEVER);
        wait_list_insert(&semaphore->waiting, message);
    }
    return 0;
}

static int post(void *argument)
{
    struct semaphore *semaphore = argument;
    struct message *first = semaphore->waiting;
    if (first != 0) {
        semaphore->waiting = first->next;
        message_end(first, 0);
        return 0;
    }
    if (semaphore->count == UINT16_MAX) {
        return ERR_FULL;
    }
    semaphore->count++;
    return 0;
}

static int wait_tick(struct semaphore *semaphore, uint64_t tick)
{
    struct message message = {.deadline.tick = tick, .object = semaphore, .cancel = cancel};
    return message_call(wait, &message);
}

void semaphore_wait(struct semaphore *semaphore)
{
    (void)wait_tick(semaphore, DEADLINE_NEVER);
}

int semaphore_wait_until(struct semaphore *semaphore, uint64_t deadline)
{
    return wait_tick(semaphore, deadline_of_us(deadline));
}

int semaphore_try(struct semaphore *semaphore)
{
    return arch_in_thread() ? arch_kernel_call(take, semaphore) : take(semaphore);
}

int semaphore_post(struct semaphore *semaphore)
{
    return arch_in_thread() ? arch_kernel_call(post, semaphore) : post(semaphore);
}
