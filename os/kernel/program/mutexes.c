/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The mutexes of programs: they lie first among a program's objects. */
#include "kernel/program/walk.h"

#include "kernel/sync/mutex.h"
#include "kernel/thread/thread.h"

bool program_has_mutex(const struct mutex *mutex)
{
    for (const struct program *program = programs; program != 0; program = program->next) {
        uintptr_t at = (uintptr_t)mutex - (uintptr_t)program->objects;
        if (at / sizeof(*mutex) < program->header->mutexes && at % sizeof(*mutex) == 0) {
            return true;
        }
    }
    return false;
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
