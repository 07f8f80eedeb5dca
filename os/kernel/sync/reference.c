/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Reference counters. */
#include <lichen/reference.h>

#include <lichen/assert.h>
#include <lichen/kernel.h>

#include "kernel/sync/call.h"

static int take(void *argument)
{
    struct reference *reference = argument;
    if (reference->count == UINT16_MAX) {
        return ERR_FULL;
    }
    reference->count++;
    return 0;
}

static void give(void *argument)
{
    struct reference *reference = argument;
    assert(reference->count != 0);
    if (--reference->count == 0) {
        message_end_all(&reference->waiting, 0);
    }
}

int reference_call(void *argument)
{
    struct message *message = argument;
    struct reference *reference = message->object;
    return reference->count == 0 ? 0 : message_wait_in(message, &reference->waiting);
}

int reference_take(struct reference *reference)
{
    return kernel_run(take, reference);
}

void reference_give(struct reference *reference)
{
    kernel_do(give, reference);
}

void reference_wait(struct reference *reference)
{
    (void)message_do(reference_call, reference);
}
