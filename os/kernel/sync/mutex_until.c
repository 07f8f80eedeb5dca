/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <lichen/mutex.h>

#include "kernel/sync/call.h"

int mutex_lock_until(struct mutex *mutex, uint64_t deadline)
{
    return message_do_until(mutex_call, mutex, deadline);
}
