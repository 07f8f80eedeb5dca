/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The threads of programs, for who asks for a thread, lists all, or reports a panic. */
#include "kernel/thread/thread.h"

#include <lichen/kernel.h>

#include "arch/arch.h"
#include "kernel/panic/panic.h"
#include "kernel/program/walk.h"

/* A panic may be about this very list: walks check addresses and end. */
static const ARCH_FLASH struct thread_info *info_in(const struct program *program,
                                                    const struct thread *thread)
{
    const ARCH_FLASH struct thread_info *info = program_threads(program);
    for (uint8_t left = program->header->threads; left > 0; left--, info++) {
        if (info->thread == thread) {
            return info;
        }
    }
    return 0;
}

const ARCH_FLASH struct thread_info *thread_info_of_programs(const struct thread *thread)
{
    const ARCH_FLASH struct thread_info *info = thread_info_of_declared(thread);
    const struct program *program = programs;
    for (uint8_t left = UINT8_MAX; left > 0 && info == 0 && program != 0; left--) {
        if (!arch_can_read(program, sizeof(*program))) {
            break;
        }
        info = info_in(program, thread);
        program = program->next;
    }
    return info;
}

/* -------- lists: those of programs come behind the declared ones, the idle thread and the kernel's
 * stack, and before those made at run time */

struct look {
    struct thread_view *view;
    unsigned index;
    const uint8_t *stack; /* 0: it is none of a program's */
};

static void see(struct look *look, const ARCH_FLASH struct thread_info *info)
{
    struct thread_view *view = look->view;
    look->stack = info->stack;
    view->thread = info->thread;
    view->name = info->name;
    view->stack_bytes = info->stack_bytes;
    view->priority = info->thread->priority;
    view->state = info->thread->state;
}

static int look_at(void *look_)
{
    struct look *look = look_;
    unsigned before = (unsigned)(threads_end - threads_begin) + 2;
    unsigned index = look->index - before;
    look->stack = 0;
    if (look->index < before) {
        return 0;
    }
    for (const struct program *program = programs; program != 0; program = program->next) {
        if (index < program->header->threads) {
            see(look, &program_threads(program)[index]);
            return 0;
        }
        index -= program->header->threads;
    }
    look->index = before + index;
    return 0;
}

int thread_look_of_programs(unsigned index, struct thread_view *view)
{
    struct look look = {.view = view, .index = index};
    (void)kernel_run(look_at, &look);
    if (look.stack == 0) {
        return thread_look_declared(look.index, view);
    }
    view->stack_free = (uint16_t)panic_stack_left(look.stack, look.stack + view->stack_bytes);
    return 0;
}
