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

void thread_stack_paint(uint8_t *begin, size_t bytes)
{
    arch_word_t *end = (arch_word_t *)(void *)(begin + bytes);
    for (arch_word_t *word = (arch_word_t *)(void *)begin; word != end; word++) {
        *word = (arch_word_t)ARCH_STACK_PAINT;
    }
}

/* Whether threads made at run time have a description that a pointer to flash can lead to. */
#define HAS_CREATED (!ARCH_FLASH_IS_APART && thread_created_info != 0)

/* Whether a thread's description lies in RAM, and `info` cannot lead there. */
static bool is_described_apart(const struct thread *thread)
{
    return ARCH_FLASH_IS_APART && thread->info == 0 && thread_created_info != 0;
}

static struct thread_info description_of(const struct thread *thread)
{
    return is_described_apart(thread) ? *thread_created_info(thread) : *thread->info;
}

void thread_prepare(struct thread *thread)
{
    struct thread_info described = description_of(thread);
    const struct thread_info *info = &described;
    thread->sp = arch_stack_prepare(info->stack + info->stack_bytes, info->entry);
    thread->stack_limit = info->stack + ARCH_STACK_SPARE;
    thread->priority = info->priority;
    thread->base = info->priority;
    thread->state = THREAD_STOPPED;
}

/* The idle thread is what runs now, and the least urgent one. */
_Noreturn void threads_start(void)
{
    thread_stack_paint(idle_stack, idle_stack_bytes);
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
    return HAS_CREATED ? ARCH_FLASH_OF(thread_created_info(thread)) : 0;
}

const char *thread_name(const struct thread *thread)
{
    if (is_described_apart(thread) && thread != &idle) {
        return thread_created_info(thread)->name;
    }
    return thread->info != 0 ? thread->info->name : ARCH_TEXT("idle");
}

size_t thread_stack_free(const ARCH_FLASH struct thread_info *info)
{
    return panic_stack_left(info->stack, info->stack + info->stack_bytes);
}
