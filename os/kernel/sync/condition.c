/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Condition variables. A woken thread locks the mutex itself, in the thread: as a rule it is free
 * by then. */
#include <lichen/condition.h>

#include <lichen/kernel.h>

#include "kernel/sync/call.h"
#include "kernel/sync/mutex.h"

int condition_call(void *argument)
{
    struct condition_call *call = argument;
    struct condition *condition = call->message.object;
    mutex_give(call->mutex);
    return message_wait_in(&call->message, &condition->waiting);
}

int condition_end(struct mutex *mutex, int error)
{
    int locked = mutex_lock(mutex);
    return locked != 0 ? locked : error;
}

int condition_wait(struct condition *condition, struct mutex *mutex)
{
    struct condition_call call;
    call.message.object = condition;
    call.mutex = mutex;
    return condition_end(mutex, message_call(condition_call, &call.message));
}

static void signal(void *argument)
{
    struct condition *condition = argument;
    if (condition->waiting != 0) {
        message_end(condition->waiting, 0);
    }
}

static void broadcast(void *argument)
{
    struct condition *condition = argument;
    message_end_all(&condition->waiting, 0);
}

void condition_signal(struct condition *condition)
{
    kernel_do(signal, condition);
}

void condition_broadcast(struct condition *condition)
{
    kernel_do(broadcast, condition);
}
