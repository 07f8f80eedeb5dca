/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <lichen/reference.h>

#include "kernel/sync/call.h"

int reference_wait_until(struct reference *reference, uint64_t deadline)
{
    return message_do_until(reference_call, reference, deadline);
}
