/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The tables of programs that run, for who walks a table of the linker's: it goes on with
 *
 *     for (const struct program *program = programs; program != 0; program = program->next)
 *
 * in a function that takes the place of its own in images that load programs (os/features.cmake).
 * All of this is for the kernel level: elsewhere a program may end meanwhile.
 */
#ifndef KERNEL_PROGRAM_WALK_H
#define KERNEL_PROGRAM_WALK_H

#include <lichen/event.h>
#include <lichen/init.h>
#include <lichen/link.h>
#include <lichen/mutex.h>
#include <lichen/shell.h>
#include <lichen/syslog.h>
#include <lichen/thread.h>

#include "kernel/program/program.h"
#include "load/container.h"

/* Those that run, the oldest first. */
extern struct program *programs;

/* Whether an object, such as a thread's control block or an event, is in its memory. */
bool program_has(const struct program *program, const void *object);

/* Its tables, one behind the other (doc/spec/container.md); the header says how many rows each has.
 */
static inline const ARCH_FLASH struct thread_info *program_threads(const struct program *program)
{
    return (const ARCH_FLASH struct thread_info *)program->code;
}

static inline const ARCH_FLASH struct link_taker *program_takers(const struct program *program)
{
    return (const ARCH_FLASH struct link_taker *)(program_threads(program) +
                                                  program->header->threads);
}

/* Rows begin at even places, where containers have addresses. */
struct program_module {
    struct syslog_module module;
} __attribute__((aligned(2)));

static inline const ARCH_FLASH struct program_module *program_modules(const struct program *program)
{
    return (const ARCH_FLASH struct program_module *)(program_takers(program) +
                                                      program->header->receivers);
}

static inline const ARCH_FLASH struct shell_command *program_commands(const struct program *program)
{
    return (const ARCH_FLASH struct shell_command *)(program_modules(program) +
                                                     program->header->modules);
}

static inline init_fn *const ARCH_FLASH *program_starts(const struct program *program)
{
    return (init_fn *const ARCH_FLASH *)(program_commands(program) + program->header->commands);
}

static inline const ARCH_FLASH struct event_row *program_events(const struct program *program)
{
    return (const ARCH_FLASH struct event_row *)(program_starts(program) + program->header->starts);
}

static inline struct mutex *program_mutexes(const struct program *program)
{
    return (struct mutex *)(void *)program->objects;
}

#endif
