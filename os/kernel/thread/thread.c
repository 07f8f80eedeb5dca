/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Declared threads: laying them out, and finding out about them. */
#include "kernel/thread/thread.h"

#include <lichen/kernel.h>
#include <lichen/panic.h>

#include "arch/arch.h"
#include "kernel/thread/ready.h"

/* Registers of the idle thread: it has no other use of a stack. */
static uint8_t idle_stack[ARCH_FRAME_BYTES] __attribute__((section(".stack.idle"), aligned(8)));
struct thread idle;

_Noreturn void thread_returned(void)
{
    arch_panic(PANIC_THREAD_RETURNED, (uint32_t)(uintptr_t)kernel.current);
}

static void thread_lay(struct thread *thread, uint8_t *stack, size_t bytes, void (*entry)(void))
{
    for (uint32_t *word = (uint32_t *)(void *)stack; word < (uint32_t *)(void *)(stack + bytes);
         word++) {
        *word = ARCH_STACK_PAINT;
    }
    thread->sp = arch_stack_prepare(stack + bytes, entry);
    thread->stack_limit = stack + ARCH_STACK_SPARE;
}

void threads_init(void)
{
    thread_lay(&idle, idle_stack, sizeof(idle_stack), arch_idle);
    kernel.ready = &idle;
    for (const ARCH_FLASH struct thread_info *info = threads_begin; info < threads_end; info++) {
        thread_lay(info->thread, info->stack, info->stack_bytes, info->entry);
        info->thread->priority = info->priority;
        info->thread->base = info->priority;
        ready_insert(info->thread);
    }
}

struct thread *thread_self(void)
{
    return kernel.current;
}

const ARCH_FLASH struct thread_info *thread_info_of(const struct thread *thread)
{
    for (const ARCH_FLASH struct thread_info *info = threads_begin; info < threads_end; info++) {
        if (info->thread == thread) {
            return info;
        }
    }
    return 0;
}

size_t stack_free(const uint8_t *begin, size_t bytes)
{
    const uint32_t *word = (const uint32_t *)(const void *)begin;
    const uint32_t *end = (const uint32_t *)(const void *)(begin + bytes);
    while (word < end && *word == ARCH_STACK_PAINT) {
        word++;
    }
    return (size_t)((const uint8_t *)word - begin);
}

size_t thread_stack_free(const ARCH_FLASH struct thread_info *info)
{
    return stack_free(info->stack, info->stack_bytes);
}
