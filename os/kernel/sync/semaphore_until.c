/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <lichen/semaphore.h>

#include "kernel/sync/call.h"

int semaphore_wait_until(struct semaphore *semaphore, uint64_t deadline)
{
    return message_do_until(semaphore_call, semaphore, deadline);
}
