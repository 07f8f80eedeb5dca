/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Condition variables. A woken thread locks the mutex itself, in the thread: as a rule it is free
 * by then. */
#include <lichen/condition.h>

#include <lichen/kernel.h>
#include <lichen/message.h>

#include "kernel/sync/mutex.h"

struct condition_call {
    struct message message;
    struct mutex *mutex;
};

static int wait(void *argument)
{
    struct condition_call *call = argument;
    struct condition *condition = call->message.object;
    (void)mutex_give(call->mutex);
    return message_wait_in(&call->message, &condition->waiting);
}

static int lock_again(struct mutex *mutex, int error)
{
    int locked = mutex_lock(mutex);
    return locked != 0 ? locked : error;
}

int condition_wait(struct condition *condition, struct mutex *mutex)
{
    struct condition_call call = {.message.object = condition, .mutex = mutex};
    return lock_again(mutex, message_call(wait, &call.message));
}

int condition_wait_until(struct condition *condition, struct mutex *mutex, uint64_t deadline)
{
    struct condition_call call = {.message.object = condition, .mutex = mutex};
    return lock_again(mutex, message_call_until(wait, &call.message, deadline));
}

static int signal(void *argument)
{
    struct condition *condition = argument;
    if (condition->waiting != 0) {
        message_end(condition->waiting, 0);
    }
    return 0;
}

static int broadcast(void *argument)
{
    struct condition *condition = argument;
    message_end_all(&condition->waiting, 0);
    return 0;
}

void condition_signal(struct condition *condition)
{
    (void)kernel_run(signal, condition);
}

void condition_broadcast(struct condition *condition)
{
    (void)kernel_run(broadcast, condition);
}
