/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Blocking calls as messages: the way in, the wait, the end. */
#include "kernel/thread/message.h"

#include <lichen/kernel.h>

#include "arch/arch.h"
#include "kernel/thread/ready.h"

/* Deadlines come with the calls that have one (message_call_until, sleep): without them there is no
 * clock in the program. */
#pragma weak deadline_insert
#pragma weak deadline_remove

int message_call_tick(arch_call_fn *call, struct message *message, uint64_t tick)
{
    message->deadline.tick = tick;
    message->list = 0;
    message->cancel = 0;
    message->result = 0;
    int error = arch_kernel_call(call, message);
    return error != 0 ? error : message->result;
}

int message_call(arch_call_fn *call, struct message *message)
{
    return message_call_tick(call, message, DEADLINE_NEVER);
}

int message_do(arch_call_fn *call, void *object)
{
    struct message message;
    message.object = object;
    return message_call(call, &message);
}

void message_insert(struct message **list, struct message *message)
{
    message->list = list;
    while (*list != 0 && (*list)->thread->priority >= message->thread->priority) {
        list = &(*list)->next;
    }
    message->next = *list;
    *list = message;
}

void message_remove(struct message *message)
{
    struct message **link = message->list;
    while (*link != message) {
        link = &(*link)->next;
    }
    *link = message->next;
}

static void message_expire(struct deadline *passed)
{
    struct message *message =
        (struct message *)(void *)((uint8_t *)passed - offsetof(struct message, deadline));
    message_cancel(message);
    message_end(message, ERR_TIMEOUT);
}

int message_wait_from(struct message *message, uint64_t latest)
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
    return 0;
}

int message_wait(struct message *message)
{
    return message_wait_from(message, DEADLINE_NEVER);
}

int message_wait_in(struct message *message, struct message **list)
{
    (void)message_wait(message);
    message_insert(list, message);
    return 0;
}

static void let_go(struct message *message)
{
    if (message->deadline.expire != 0) {
        deadline_remove(&message->deadline);
    }
    if (message->list != 0) {
        message_remove(message);
        message->list = 0;
    }
}

void message_cancel(struct message *message)
{
    let_go(message);
    if (message->cancel != 0) {
        message->cancel(message);
    }
}

void message_end(struct message *message, int result)
{
    struct thread *thread = message->thread;
    let_go(message);
    message->result = result;
    thread->message = 0;
    thread->error = (uint8_t)result;
    thread_wake(thread);
}

void message_end_all(struct message **list, int result)
{
    while (*list != 0) {
        message_end(*list, result);
    }
}
