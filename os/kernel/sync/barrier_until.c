/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <lichen/barrier.h>

#include "kernel/sync/call.h"

int barrier_wait_until(struct barrier *barrier, uint64_t deadline)
{
    return message_do_until(barrier_call, barrier, deadline);
}
