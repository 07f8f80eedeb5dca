/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Waiting for the end of a thread. */
#include <lichen/assert.h>
#include <lichen/kernel.h>

#include "kernel/thread/syscall.h"
#include "kernel/thread/thread.h"

static struct syscall *joining; /* the calls that wait for threads to end, whichever */

void joins_end_all(const struct thread *thread)
{
    struct syscall *next;
    for (struct syscall *call = joining; call != 0; call = next) {
        next = call->next;
        if (call->object == thread) {
            syscall_end(call, 0);
        }
    }
}

int thread_join_service(void *argument)
{
    struct syscall *call = argument;
    const struct thread *thread = call->object;
    assert(thread != kernel.current); /* else a thread would wait for its own end */
    return thread->state == THREAD_STOPPED ? 0 : syscall_wait_in(call, &joining);
}

void thread_join(struct thread *thread)
{
    (void)syscall_run_on(thread_join_service, thread);
}
