/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Starting declared threads that are stopped. */
#include "kernel/thread/thread.h"

#include <lichen/kernel.h>

struct start {
    struct thread *thread;
    void *argument;
};

static int start(void *call_)
{
    const struct start *call = call_;
    if (call->thread->state != THREAD_STOPPED) {
        return ERR_BUSY;
    }
    thread_begin(call->thread, call->argument);
    return 0;
}

int thread_start(struct thread *thread, void *argument)
{
    struct start call = {thread, argument};
    return kernel_run(start, &call);
}
