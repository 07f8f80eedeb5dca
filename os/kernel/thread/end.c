/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The end of a thread, and waiting for it. */
#include "kernel/thread/thread.h"

#include <lichen/assert.h>
#include <lichen/kernel.h>

#include "arch/arch.h"
#include "kernel/thread/message.h"
#include "kernel/thread/ready.h"

/* A program without mutexes has none to abandon. */
__attribute__((weak)) void mutexes_abandon(const struct thread *thread)
{
    (void)thread;
}

/* And one that makes no threads has no list of them. */
__attribute__((weak)) void thread_forget(const struct thread *thread)
{
    (void)thread;
}

static struct message *joining; /* the calls that wait for threads to end, whichever */

/* Whoever is not on the ready list and waits: out of what it waits for. */
static void stop_waiting(const struct thread *thread)
{
    if (message_is_notify(thread->message)) {
        message_notify(thread->message)->waiter = 0;
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

static void end(void *argument)
{
    struct thread *thread = argument;
    uint8_t state = thread->state;
    if (state == THREAD_STOPPED) {
        return;
    }
    if (state == THREAD_READY) {
        ready_remove(thread);
    } else if (state & THREAD_WAITING) {
        stop_waiting(thread);
    }
    thread_lay(thread);
    mutexes_abandon(thread);
    thread_forget(thread);
    end_joins(thread);
}

void thread_destroy(struct thread *thread)
{
    if (thread == kernel.current) {
        thread_exit();
    }
    arch_kernel_do(end, thread);
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
