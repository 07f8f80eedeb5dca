/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Yielding, in C, where the architecture has no shorter way. */
#include "arch/arch.h"

#include "kernel/thread/ready.h"

/* The running thread goes behind its equals, and the next one's slice is a whole one. */
int kernel_yield(void *unused, void *unused_too)
{
    (void)unused;
    (void)unused_too;
    struct kernel *state = kernel_state();
    struct thread *thread = state->current;
    struct thread *next = thread->next;
    if (next->priority == thread->priority) {
        (void)arch_slice_stop();
        state->ready = next;
        ready_link(thread, thread->priority);
        slice_begin();
    }
    return 0;
}
