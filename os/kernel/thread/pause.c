/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Pausing and resuming. A thread that waits directly for a notification is woken without a look at
 * its state, so pausing sends its notification the slow way; that one stays slow. */
#include <lichen/kernel.h>

#include "kernel/event/notify.h"
#include "kernel/thread/message.h"
#include "kernel/thread/ready.h"

static int pause(void *argument)
{
    struct thread *thread = argument;
    uint8_t state = thread->state;
    if (state & (THREAD_PAUSED | THREAD_STOPPED)) {
        return 0;
    }
    if (state == THREAD_READY) {
        ready_remove(thread);
    } else if (message_is_notify(thread->message)) {
        notify_slow(message_notify(thread->message), thread);
    }
    thread->state = state | THREAD_PAUSED;
    return 0;
}

static int resume(void *argument)
{
    struct thread *thread = argument;
    uint8_t state = thread->state;
    if (state == THREAD_PAUSED) {
        ready_insert(thread);
    } else if (state & THREAD_PAUSED) {
        thread->state = THREAD_WAITING;
    }
    return 0;
}

void thread_pause(struct thread *thread)
{
    (void)kernel_run(pause, thread);
}

void thread_resume(struct thread *thread)
{
    (void)kernel_run(resume, thread);
}
