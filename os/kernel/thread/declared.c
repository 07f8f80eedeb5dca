/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The declared threads: how they begin at start-up, or later if they are declared stopped, and what
 * a panic says of their stacks. In a separate file, so that programs without declared threads link
 * neither it nor the ready list. */
#include "kernel/thread/thread.h"

#include "arch/arch.h"
#include "kernel/panic/panic.h"
#include "kernel/start.h"
#include "kernel/thread/ready.h"

NEEDS(thread_info_of_declared);

void threads_declared(void)
{
    for (const ARCH_FLASH struct thread_info *info = threads_begin; info != threads_end; info++) {
        thread_stack_paint(info->stack, info->stack_bytes);
        info->thread->info = info;
        thread_prepare(info->thread);
        if (!info->stopped) {
            ready_insert(info->thread);
        }
    }
}

/* The first frame of a stopped thread is there already, from start-up or from its last end: it only
 * lacks the argument. */
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

void panic_stack_free_declared(void)
{
    const struct thread *thread = (const struct thread *)panic_record.thread;
    const ARCH_FLASH struct thread_info *info = thread_info_of(thread);
    if (info != 0 && arch_can_read(info->stack, info->stack_bytes)) {
        panic_record.stack_free = thread_stack_free(info);
    }
}
