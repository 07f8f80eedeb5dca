/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What a panic says about the thread that ran or was interrupted. The thread, and the description
 * of one that was made at run time, lie in memory that may be corrupt: each address is checked
 * before it is dereferenced. */
#include <lichen/kernel.h>
#include <lichen/thread.h>

#include "arch/arch.h"
#include "kernel/panic/panic.h"
#include "kernel/thread/thread.h"

void panic_thread_current(struct panic_record *record)
{
    record->thread = (uintptr_t)kernel.current;
}

const char *panic_thread_name(const struct panic_record *record)
{
    const struct thread *thread = (const struct thread *)record->thread;
    const ARCH_FLASH struct thread_info *info = thread_info_of(thread);
    if (info != 0) {
        return info->name;
    }
    return thread == &idle ? ARCH_TEXT("idle") : ARCH_TEXT("unknown");
}
