/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Pausing and resuming. A thread that waits directly for a notification is woken without a test of
 * its state, so pausing marks the notification for notify_deliver_rare; the mark stays until the
 * thread is woken. */
#include <lichen/kernel.h>

#include "kernel/event/notify.h"
#include "kernel/thread/syscall.h"
#include "kernel/thread/ready.h"

static void pause(void *argument)
{
    struct thread *thread = argument;
    uint8_t state = thread->state;
    if (state & (THREAD_PAUSED | THREAD_STOPPED)) {
        return;
    }
    if (state == THREAD_READY) {
        ready_remove(thread);
    } else if (syscall_is_notify(thread->syscall)) {
        notify_slow(syscall_notify(thread->syscall), thread);
    }
    thread->state = state | THREAD_PAUSED;
}

static void resume(void *argument)
{
    struct thread *thread = argument;
    uint8_t state = thread->state;
    if (state == THREAD_PAUSED) {
        ready_insert(thread);
    } else {
        thread->state = state & (uint8_t)~THREAD_PAUSED;
    }
}

void thread_pause(struct thread *thread)
{
    kernel_do(pause, thread);
}

void thread_resume(struct thread *thread)
{
    kernel_do(resume, thread);
}
