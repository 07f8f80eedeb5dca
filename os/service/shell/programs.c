/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Commands of programs that were loaded, in images that load any. What is in their tables may go at
 * any moment with the program, so it is found at the kernel level, and a shell that may be in a
 * command of a program begins anew when that one ends. An image that exports the shell to programs
 * names shell_find_of_programs.
 */
#include "service/shell/shell.h"

#include <lichen/kernel.h>

#include "base/text.h"
#include "kernel/program/walk.h"
#include "kernel/thread/halt.h"

/* The program whose command the shell may be in, since it was found; 0: none. Kernel level. */
static const struct program *visited;
static struct thread *visitor;

/* -------- finding */

/* By its name, or by its index if that is 0. */
struct search {
    const char *name;
    unsigned index;
    const ARCH_FLASH struct shell_command *command; /* 0: there is none */
};

/* Whether a table has it. */
static bool search_in(struct search *search, const ARCH_FLASH struct shell_command *begin,
                      const ARCH_FLASH struct shell_command *end)
{
    for (const ARCH_FLASH struct shell_command *command = begin; command != end; command++) {
        if (search->name != 0 ? text_is_same(command->name, search->name) : search->index-- == 0) {
            search->command = command;
            return true;
        }
    }
    return false;
}

static int search(void *search_)
{
    struct search *search = search_;

    visited = 0;
    search->command = 0;
    if (search_in(search, shell_commands_begin, shell_commands_end)) {
        return 0;
    }
    for (const struct program *program = programs; program != 0; program = program->next) {
        const ARCH_FLASH struct shell_command *commands = program_commands(program);
        if (search_in(search, commands, commands + program->header->commands)) {
            visited = program;
            visitor = thread_self();
            return 0;
        }
    }
    return 0;
}

static void help(struct shell_arguments *arguments)
{
    struct search here = {.name = arguments->count > 1 ? arguments->word[1] : 0};

    for (unsigned i = 0; here.index = i, (void)kernel_run(search, &here), here.command != 0; i++) {
        print("%-8s %-18s %s\n", here.command->name, here.command->usage, here.command->help);
        if (here.name != 0) {
            return;
        }
    }
    if (here.name != 0) {
        print("there is no command '%s'; `help` lists all\n", here.name);
    }
}

static const char help_name[] ARCH_TEXT_PLACED(shell_help) = "help";
static const char help_usage[] ARCH_TEXT_PLACED(shell_help) = "[COMMAND]";
static const char help_help[] ARCH_TEXT_PLACED(shell_help) = "Lists commands.";
static const ARCH_FLASH struct shell_command help_of_programs = {
    .name = help_name, .usage = help_usage, .help = help_help, .run = help};

const ARCH_FLASH struct shell_command *shell_find_of_programs(const char *name)
{
    struct search here = {.name = name};

    (void)kernel_run(search, &here);
    if (here.command == 0) {
        print("there is no command '%s'; `help` lists all\n", name);
        return 0;
    }
    return here.command->run == shell_command_help ? &help_of_programs : here.command;
}

/* -------- the shell's thread */

const struct program *shell_visits(const struct thread *thread)
{
    return thread == visitor ? visited : 0;
}

/* The shell's thread does not end, which could be the end of a program again, but begins anew. The
 * running thread is not one that a call returns to if it begins anew: if it has failed, crash.c
 * sees to that, and otherwise it goes on. */
void shell_program_left(const struct program *program)
{
    const struct program *left = visited;

    visited = left == program ? 0 : left;
    if (left == program && visitor != thread_self() && visitor->state != THREAD_STOPPED) {
        thread_halt(visitor);
        ready_insert(visitor);
    }
}
