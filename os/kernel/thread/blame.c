/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What a panic says of the thread that ran or was interrupted. */
#include <lichen/kernel.h>
#include <lichen/thread.h>

#include "kernel/panic/panic.h"

void panic_of_thread(struct panic_record *record)
{
    const ARCH_FLASH struct thread_info *info = thread_info_of(kernel.current);
    record->thread = (uint32_t)(uintptr_t)kernel.current;
    record->stack_free = info != 0 ? thread_stack_free(info) : 0;
}

const char *panic_thread_name(const struct panic_record *record)
{
    const struct thread *thread = (const struct thread *)(uintptr_t)record->thread;
    const ARCH_FLASH struct thread_info *info = thread_info_of(thread);
    return info != 0 ? info->name : "idle";
}
