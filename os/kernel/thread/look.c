/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Threads as a list shows them. */
#include <lichen/kernel.h>

#include "arch/arch.h"
#include "kernel/panic/panic.h"
#include "kernel/thread/idle_stack.h"
#include "kernel/thread/thread.h"

/* In programs that make threads (create.c). */
extern __attribute__((weak)) struct thread_created *threads_created;

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

int thread_look(unsigned index, struct thread_view *view)
{
    struct look look = {.view = view, .index = index};
    int error = kernel_run(look_at, &look);

    if (error == 0) {
        view->stack_free = (uint16_t)panic_stack_left(look.stack, look.stack + view->stack_bytes);
    }
    return error;
}
