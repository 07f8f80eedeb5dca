/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Threads from start-up on: preparing their stacks, becoming the idle thread, and finding out about
 * threads, for programs, for lists and for the report of a panic. What makes threads ready is
 * apart: declared.c and create.c, each in the programs that need it.
 */
#include "kernel/thread/thread.h"

#include <lichen/kernel.h>

#include "arch/arch.h"
#include "kernel/panic/panic.h"

/* In programs that make threads (create.c). */
#pragma weak threads_created

struct thread idle;

/* Cooperative threads, which the idle thread runs, link another one instead (lichen/coop.h). */
__attribute__((section(".stack.idle"), aligned(ARCH_STACK_ALIGN)))
uint8_t idle_stack_usual[ARCH_FRAME_BYTES];
const uint16_t idle_stack_usual_bytes = ARCH_FRAME_BYTES;

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
    arch_start_threads(idle_stack + idle_stack_bytes, idle_run);
}

struct thread *thread_self(void)
{
    return kernel.current;
}

const ARCH_FLASH struct thread_info *thread_info_of_declared(const struct thread *thread)
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

/* One thread of a list. */
struct look {
    struct thread_view *view;
    const uint8_t *stack;
    unsigned index; /* of those that are left */
};

static void see(struct look *look, const struct thread *thread, const uint8_t *stack, size_t bytes)
{
    struct thread_view *view = look->view;

    look->stack = stack;
    view->thread = thread;
    view->stack_bytes = (uint16_t)bytes;
    if (thread != 0) {
        view->name = thread_name(thread);
        view->priority = thread->priority;
        view->state = thread->state;
    }
}

static int see_created(struct look *look)
{
    const struct thread_created *created = &threads_created != 0 ? threads_created : 0;

    for (; created != 0 && look->index > 0; look->index--) {
        created = created->next;
    }
    if (created == 0) {
        return ERR_EMPTY;
    }
    see(look, &created->thread, created->info.stack, created->info.stack_bytes);
    return 0;
}

/* At the kernel level: a thread made at run time may end, and its memory become another's. */
static int look_at(void *look_)
{
    struct look *look = look_;

    for (const ARCH_FLASH struct thread_info *info = threads_begin; info != threads_end; info++) {
        if (look->index-- == 0) {
            see(look, info->thread, info->stack, info->stack_bytes);
            return 0;
        }
    }
    if (look->index-- == 0) {
        see(look, &idle, idle_stack, idle_stack_bytes);
        return 0;
    }
    if (look->index-- == 0) {
        look->view->name = ARCH_TEXT("kernel");
        look->view->priority = 0;
        look->view->state = 0;
        see(look, 0, kernel_stack_bottom, (size_t)(kernel_stack_top - kernel_stack_bottom));
        return 0;
    }
    return see_created(look);
}

int thread_look_declared(unsigned index, struct thread_view *view)
{
    struct look look = {.view = view, .index = index};
    int error = kernel_run(look_at, &look);

    if (error == 0) {
        view->stack_free = (uint16_t)panic_stack_left(look.stack, look.stack + view->stack_bytes);
    }
    return error;
}

/* What a panic says about the thread that ran or was interrupted. The thread, and the description
 * of one that was made at run time, lie in memory that may be corrupt: each address is checked
 * before it is dereferenced. */
void panic_thread_current(void)
{
    panic_record.thread = (uintptr_t)kernel.current;
}

const char *panic_thread_name_declared(const struct panic_record *record)
{
    const struct thread *thread = (const struct thread *)record->thread;
    const ARCH_FLASH struct thread_info *info = thread_info_of(thread);
    if (info != 0) {
        return info->name;
    }
    return thread == &idle ? ARCH_TEXT("idle") : ARCH_TEXT("unknown");
}
