/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The declared threads, and what a panic says of their stacks. In a separate file, so that programs
 * without declared threads link neither it nor the ready list. */
#include "kernel/thread/thread.h"

#include "arch/arch.h"
#include "kernel/panic/panic.h"
#include "kernel/thread/ready.h"

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

void panic_stack_free_declared(struct panic_record *record)
{
    const struct thread *thread = (const struct thread *)record->thread;
    const ARCH_FLASH struct thread_info *info = thread_info_of(thread);
    if (info != 0 && arch_can_read(info->stack, info->stack_bytes)) {
        record->stack_free = thread_stack_free(info);
    }
}
