/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Threads from start-up on: preparing their stacks, starting them, and finding out about them. */
#include "kernel/thread/thread.h"

#include <lichen/kernel.h>

#include "arch/arch.h"
#include "kernel/coop/coop.h"
#include "kernel/panic/panic.h"
#include "kernel/start.h"
#include "kernel/thread/idle_stack.h"

NEEDS(idle_stack_alone);
NEEDS(panic_thread_name);

struct thread idle;

void stack_paint(uint8_t *begin, size_t bytes)
{
    uint32_t *end = (uint32_t *)(void *)(begin + bytes);
    for (uint32_t *word = (uint32_t *)(void *)begin; word != end; word++) {
        *word = ARCH_STACK_PAINT;
    }
}

void thread_prepare(struct thread *thread)
{
    const ARCH_FLASH struct thread_info *info = thread->info;
    thread->sp = arch_stack_prepare(info->stack + info->stack_bytes, info->entry);
    thread->stack_limit = info->stack + ARCH_STACK_SPARE;
    thread->priority = info->priority;
    thread->base = info->priority;
    thread->state = THREAD_STOPPED;
}

/* The idle thread is what runs now, and the least urgent one. */
_Noreturn void threads_start(void)
{
    stack_paint(idle_stack, idle_stack_bytes);
    idle.stack_limit = idle_stack + ARCH_STACK_SPARE;
    kernel.current = &idle;
    kernel.ready = &idle;
    if (threads_declared != 0) {
        threads_declared();
    }
    arch_start_threads(idle_stack + idle_stack_bytes, coop_run != 0 ? coop_run : arch_idle);
}

struct thread *thread_self(void)
{
    return kernel.current;
}

const ARCH_FLASH struct thread_info *thread_info_of(const struct thread *thread)
{
    for (const ARCH_FLASH struct thread_info *info = threads_begin; info != threads_end; info++) {
        if (info->thread == thread) {
            return info;
        }
    }
    return thread_created_info != 0 ? thread_created_info(thread) : 0;
}

const ARCH_FLASH char *thread_name(const struct thread *thread)
{
    return thread->info != 0 ? thread->info->name : "idle";
}

size_t thread_stack_free(const ARCH_FLASH struct thread_info *info)
{
    return stack_free(info->stack, info->stack_bytes);
}
