/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Blocking calls as messages: the way in, the wait, the end. */
#include "kernel/thread/message.h"

#include <lichen/error.h>
#include <lichen/kernel.h>

#include "arch/arch.h"
#include "kernel/thread/ready.h"

int message_call(arch_call_fn *call, struct message *message)
{
    message->result = 0;
    int error = arch_kernel_call(call, message);
    return error != 0 ? error : message->result;
}

static void message_expire(struct deadline *passed)
{
    struct message *message =
        (struct message *)(void *)((uint8_t *)passed - offsetof(struct message, deadline));
    if (message->cancel != 0) {
        message->cancel(message);
    }
    message_end(message, ERR_TIMEOUT);
}

void message_wait(struct message *message, uint64_t latest)
{
    struct thread *thread = kernel.current;
    message->thread = thread;
    message->deadline.expire = 0;
    if (message->deadline.tick != DEADLINE_NEVER) {
        deadline_insert(&message->deadline, message_expire, latest);
    }
    thread->message = message;
    thread->state = THREAD_WAITING;
    ready_remove(thread);
}

void message_end(struct message *message, int result)
{
    struct thread *thread = message->thread;
    if (message->deadline.expire != 0) {
        deadline_remove(&message->deadline);
    }
    message->result = result;
    thread->message = 0;
    thread->error = (uint8_t)result;
    ready_insert(thread);
}
