/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Threads made at run time, in memory that is the caller's again when they have ended.
 *
 * The list is for the debugger and the report of a panic. The report may be
 * about this very list, so code that walks it checks each address and bounds its steps.
 */
#include "kernel/thread/thread.h"

#include <lichen/assert.h>
#include <lichen/kernel.h>

#include "arch/arch.h"
#include "kernel/start.h"
#include "kernel/thread/ready.h"

NEEDS(thread_exit); /* its function may return */

/* More than memory holds. */
#define CREATED_MAX 1024u

struct thread_created *threads_created;

const struct thread_info *thread_created_info(const struct thread *thread)
{
    const struct thread_created *created = threads_created;
    for (unsigned left = CREATED_MAX; left > 0; left--) {
        if (created == 0 || !arch_can_read(created, sizeof(*created))) {
            break;
        }
        if (&created->thread == thread) {
            return &created->info;
        }
        created = created->next;
    }
    return 0;
}

static int create(void *created_, void *argument)
{
    struct thread_created *created = created_;
    assert(thread_info_of(&created->thread) == 0);
    assert(!ARCH_FLASH_IS_APART || thread_created_info(&created->thread) == 0);
    created->next = threads_created;
    threads_created = created;
    created->info.thread = &created->thread;
    created->thread.info = ARCH_FLASH_IS_APART ? 0 : ARCH_FLASH_OF(&created->info);
    created->thread.cpu_time = (struct arch_cpu_time){};
    thread_prepare(&created->thread);
    arch_stack_argument(created->thread.sp, argument);
    ready_insert(&created->thread);
    return 0;
}

void thread_forget_created(const struct thread *thread)
{
    for (struct thread_created **link = &threads_created; *link != 0; link = &(*link)->next) {
        if (&(*link)->thread == thread) {
            *link = (*link)->next;
            return;
        }
    }
}

/* The stack is painted by the caller: it may be long, and nothing else needs to wait for that. */
int thread_create(struct thread_created *created, void *argument)
{
    const struct thread_info *info = &created->info;
    unsigned misaligned = ((uintptr_t)info->stack | info->stack_bytes) % ARCH_STACK_ALIGN;
    if (info->stack_bytes < THREAD_STACK_MIN || misaligned != 0 ||
        (unsigned)(info->priority - 1) >= PRIORITY_MAX) {
        return ERR_INVALID;
    }
    thread_stack_paint(info->stack, info->stack_bytes);
    return arch_kernel_call_with(create, created, argument);
}
