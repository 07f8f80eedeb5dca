/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Starting declared threads that are stopped. Their first frame is there already, from start-up or
 * from their last end: it only lacks the argument. */
#include "kernel/thread/thread.h"

#include "arch/arch.h"
#include "kernel/start.h"
#include "kernel/thread/ready.h"

NEEDS(ready_insert_others);

int thread_start_service(void *thread_, void *argument)
{
    struct thread *thread = thread_;
    if (thread->state != THREAD_STOPPED) {
        return ERR_BUSY;
    }
    arch_stack_argument(thread->sp, argument);
    ready_insert_inline(thread);
    return 0;
}
