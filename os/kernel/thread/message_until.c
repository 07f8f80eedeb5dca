/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Blocking calls with a deadline: they bring the clock into the program. */
#include "kernel/thread/message.h"

int message_call_until(arch_call_fn *call, struct message *message, uint64_t deadline)
{
    message->deadline.tick = deadline_of_us(deadline);
    return message_enter(call, message, message_expire);
}

int message_do_until(arch_call_fn *call, void *object, uint64_t deadline)
{
    struct message message;
    message.object = object;
    return message_call_until(call, &message, deadline);
}
