/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Blocking calls as messages: the way in, the wait, the end. */
#include "kernel/thread/message.h"

#include <lichen/kernel.h>

#include "arch/arch.h"
#include "kernel/thread/ready.h"

/* Deadlines come with the calls that have one (message_call_until, sleep): without them there is no
 * clock in the program. */
#pragma weak deadline_insert
#pragma weak deadline_insert_after
#pragma weak deadline_remove

int message_call(arch_call_fn *call, struct message *message)
{
    return message_enter(call, message, 0);
}

int message_do(arch_call_fn *call, void *object)
{
    struct message message;
    message.object = object;
    return message_enter(call, &message, 0);
}

static inline __attribute__((always_inline)) void insert(struct message **list,
                                                         struct message *message, uint8_t priority)
{
    message->list = list;
    struct message *other;
    while ((other = *list) != 0 && other->thread->priority >= priority) {
        list = &other->next;
    }
    message->next = other;
    *list = message;
}

void message_insert(struct message **list, struct message *message)
{
    insert(list, message, message->thread->priority);
}

static inline __attribute__((always_inline)) void remove(struct message *message)
{
    struct message **link = message->list;
    while (*link != message) {
        link = &(*link)->next;
    }
    *link = message->next;
}

void message_remove(struct message *message)
{
    remove(message);
}

/* Inlined, as is most of what nearly every call runs through: this compiler does not jump to a last
 * call but calls it, and entering and leaving a function costs as much as it does. */
static inline __attribute__((always_inline)) int wait_here(struct message *message)
{
    struct thread *thread = kernel.current;
    message->thread = thread;
    thread->message = message;
    thread->state = THREAD_WAITING;
    ready_leave(thread);
    return 0;
}

void message_expire(struct deadline *passed, uint64_t reached)
{
    (void)reached;
    struct message *message =
        (struct message *)(void *)((uint8_t *)passed - offsetof(struct message, deadline));
    message_cancel(message);
    message_end(message, ERR_TIMEOUT);
}

/* Those that have set an alarm are in no hurry. */
static __attribute__((noinline)) int wait_for_alarm(struct message *message)
{
    return wait_here(message);
}

int message_wait(struct message *message)
{
    if (message->deadline.expire != 0) {
        deadline_insert(&message->deadline, message_expire);
    }
    return wait_for_alarm(message);
}

int message_wait_after(void *message_)
{
    struct message *message = message_;
    deadline_insert_after(&message->deadline, message_expire);
    return wait_for_alarm(message);
}

int message_wait_in(struct message *message, struct message **list)
{
    insert(list, message, kernel.current->priority);
    return message->deadline.expire != 0 ? message_wait(message) : wait_here(message);
}

static inline __attribute__((always_inline)) void let_go(struct message *message)
{
    if (message->deadline.expire != 0) {
        deadline_remove(&message->deadline);
    }
    if (message->list != 0) {
        remove(message);
    }
}

void message_cancel(struct message *message)
{
    if (message->deadline.expire != 0) {
        deadline_remove(&message->deadline);
    }
    if (message->list != 0) {
        message_remove(message);
    }
    message->list = 0;
    if (message->cancel != 0) {
        message->cancel(message);
    }
}

void message_end(struct message *message, int result)
{
    struct thread *thread = message->thread;
    let_go(message);
    message->result = result;
    thread_wake(thread, ready_insert_inline);
}

void message_end_all(struct message **list, int result)
{
    while (*list != 0) {
        message_end(*list, result);
    }
}
