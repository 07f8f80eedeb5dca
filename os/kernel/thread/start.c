/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Starting declared threads that are stopped. Their first frame is there already, from start-up or
 * from their last end: it only lacks the argument. */
#include "kernel/thread/thread.h"

#include <lichen/kernel.h>

#include "arch/arch.h"
#include "kernel/thread/ready.h"

struct start {
    struct thread *thread;
    void *argument;
};

static int start(void *call_)
{
    const struct start *call = call_;
    struct thread *thread = call->thread;
    if (thread->state != THREAD_STOPPED) {
        return ERR_BUSY;
    }
    arch_stack_argument(thread->sp, call->argument);
    ready_insert_inline(thread);
    return 0;
}

int thread_start(struct thread *thread, void *argument)
{
    struct start call = {thread, argument};
    return arch_in_thread() ? arch_kernel_call(start, &call) : start(&call);
}
