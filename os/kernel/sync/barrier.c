/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Barriers. Who has come is who waits: a count of its own would have to be told of timeouts. */
#include <lichen/barrier.h>

#include "kernel/sync/call.h"

int barrier_call(void *argument)
{
    struct message *message = argument;
    struct barrier *barrier = message->object;
    unsigned missing = barrier->parties - 1u;
    for (const struct message *other = barrier->waiting; other != 0; other = other->next) {
        missing--;
    }
    if (missing != 0) {
        return message_wait_in(message, &barrier->waiting);
    }
    message_end_all(&barrier->waiting, 0);
    return 0;
}

void barrier_wait(struct barrier *barrier)
{
    (void)message_do(barrier_call, barrier);
}
