/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The mutexes of programs: they lie first among a program's objects. */
#include "kernel/program/walk.h"

#include <stdbool.h>

#include "kernel/sync/mutex.h"
#include "kernel/sync/take.h"
#include "kernel/thread/inherit.h"
#include "kernel/thread/thread.h"

/* Of the image, or of a program that runs. */
static bool is_mutex(const struct mutex *mutex)
{
    bool found = mutex >= mutexes_begin && mutex < mutexes_end;
    for (const struct program *program = programs; !found && program != 0;
         program = program->next) {
        uintptr_t at = (uintptr_t)mutex - (uintptr_t)program->objects;
        found = at / sizeof(*mutex) < program->header->mutexes && at % sizeof(*mutex) == 0;
    }
    return found;
}

int mutex_take_of_programs(void *argument)
{
    struct syscall *call = argument;
    struct mutex *mutex = call->object;
    int error = try_lock(mutex);
    if (error != ERR_BUSY) {
        return error;
    }
    assert(is_mutex(mutex));
    return mutex_await(call, mutex);
}

static uint_fast8_t priority_due(const struct thread *thread)
{
    uint_fast8_t priority =
        priority_through(mutexes_begin, mutexes_end, thread, thread->base);
    for (const struct program *program = programs; program != 0; program = program->next) {
        const struct mutex *mutexes = program_mutexes(program);
        priority = priority_through(mutexes, mutexes + program->header->mutexes, thread, priority);
    }
    return priority;
}

static struct thread *owner_waited_for(const struct syscall *call)
{
    const struct mutex *mutex = mutex_of(call);
    return mutex != 0 ? mutex_owner(mutex) : 0;
}

void thread_reprioritize_of_programs(struct thread *thread)
{
    thread_reprioritize_by(priority_due, owner_waited_for, thread);
}

/* A thread may hold mutexes of the image, such as the console's, besides those of its program. */
void mutexes_abandon_of_programs(const struct thread *thread)
{
    mutexes_abandon_all(thread);
    for (const struct program *program = programs; program != 0; program = program->next) {
        struct mutex *mutexes = program_mutexes(program);
        mutexes_abandon_in(mutexes, mutexes + program->header->mutexes, thread);
    }
}
