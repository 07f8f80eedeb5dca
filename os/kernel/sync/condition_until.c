/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <lichen/condition.h>

#include "kernel/sync/call.h"

int condition_wait_until(struct condition *condition, struct mutex *mutex, uint64_t deadline)
{
    struct condition_call call;
    call.message.object = condition;
    call.mutex = mutex;
    return condition_end(mutex, message_call_until(condition_call, &call.message, deadline));
}
