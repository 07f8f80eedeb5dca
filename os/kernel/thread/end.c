/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The end of a thread, and waiting for it. */
#include "kernel/thread/thread.h"

#include <lichen/assert.h>
#include <lichen/kernel.h>

#include "arch/arch.h"
#include "kernel/thread/message.h"
#include "kernel/thread/ready.h"

/* Without mutexes or threads made at run time a program has neither. */
#pragma weak mutexes_abandon
#pragma weak thread_forget

static struct message *joining; /* the calls that wait for threads to end, whichever */

/* Whoever is not on the ready list and waits: out of what it waits for. */
static void stop_waiting(const struct thread *thread)
{
    struct notify *notify = message_notify(thread->message);
    if (notify != 0) {
        notify->waiter = 0;
    } else {
        message_cancel(thread->message);
    }
}

static void end_joins(const struct thread *thread)
{
    struct message *next;
    for (struct message *message = joining; message != 0; message = next) {
        next = message->next;
        if (message->object == thread) {
            message_end(message, 0);
        }
    }
}

static int end(void *argument)
{
    struct thread *thread = argument;
    uint8_t state = thread->state;
    if (state == THREAD_STOPPED) {
        return 0;
    }
    if (state == THREAD_READY) {
        ready_remove(thread);
    } else if (state & THREAD_WAITING) {
        stop_waiting(thread);
    }
    thread_lay(thread, 0);
    if (mutexes_abandon != 0) {
        mutexes_abandon(thread);
    }
    if (thread_forget != 0) {
        thread_forget(thread);
    }
    end_joins(thread);
    return 0;
}

void thread_destroy(struct thread *thread)
{
    if (thread == kernel.current) {
        thread_exit();
    }
    (void)arch_kernel_call(end, thread);
}

_Noreturn void thread_exit(void)
{
    arch_kernel_leave(end, kernel.current);
}

int thread_join_call(void *argument)
{
    struct message *message = argument;
    const struct thread *thread = message->object;
    assert(thread != kernel.current);
    return thread->state == THREAD_STOPPED ? 0 : message_wait_in(message, &joining);
}

void thread_join(struct thread *thread)
{
    (void)message_do(thread_join_call, thread);
}
