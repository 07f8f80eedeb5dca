/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Condition variables. A woken thread locks the mutex itself, in the thread: usually the mutex is
 * free by then. */
#include <lichen/condition.h>

#include <stdbool.h>

#include <lichen/kernel.h>

#include "kernel/sync/mutex.h"

int condition_service(void *argument)
{
    struct condition_call *call = argument;
    struct condition *condition = call->syscall.object;
    mutex_give(call->mutex);
    return syscall_wait_in(&call->syscall, &condition->waiting);
}

int condition_end(struct mutex *mutex, int error)
{
    int locked = mutex_lock(mutex);
    return locked != 0 ? locked : error;
}

int condition_wait(struct condition *condition, struct mutex *mutex)
{
    struct condition_call call;
    call.syscall.object = condition;
    call.mutex = mutex;
    return condition_end(mutex, syscall_run(condition_service, &call.syscall));
}

static void signal(void *argument)
{
    struct condition *condition = argument;
    if (condition->waiting != 0) {
        syscall_end(condition->waiting, 0);
    }
}

static void broadcast(void *argument)
{
    struct condition *condition = argument;
    syscall_end_all(&condition->waiting, 0);
}

/* One test is enough: a thread that begins to wait after the test waits for a later signal. */
static inline bool nobody_waits(const struct condition *condition)
{
    return condition->waiting == 0;
}

void condition_signal(struct condition *condition)
{
    if (!nobody_waits(condition)) {
        kernel_do(signal, condition);
    }
}

void condition_broadcast(struct condition *condition)
{
    if (!nobody_waits(condition)) {
        kernel_do(broadcast, condition);
    }
}
