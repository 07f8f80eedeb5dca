/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the files of the shell share. */
#ifndef SERVICE_SHELL_SHELL_H
#define SERVICE_SHELL_SHELL_H

#include <stdbool.h>

#include <lichen/shell.h>

/* The commands of the image, which the linker sorts by name (os/kernel/flash.ld). */
extern const ARCH_FLASH struct shell_command shell_commands_begin[], shell_commands_end[];

/* The command of a name: of the image, or of any program that was loaded (programs.c).
 * returns   0: there is none, which it has said
 * context   thread
 */
const ARCH_FLASH struct shell_command *shell_find(const char *name);
const ARCH_FLASH struct shell_command *shell_find_declared(const char *name);
const ARCH_FLASH struct shell_command *shell_find_of_programs(const char *name);

/* The command `help` of the image. */
void shell_command_help(struct shell_arguments *arguments);

/* For the end of programs (kernel/program/end.h). */
struct program;
const struct program *shell_visits(const struct thread *thread);
void shell_program_left(const struct program *program);

/* Splits a line, in place, into words.
 * returns   0; ERR_INVALID, and has said why
 * context   thread
 */
int shell_split(char *line, struct shell_arguments *arguments);

/* Prints the name of an argument, as the usage has it.
 * context   thread
 */
void shell_print_usage_word(const struct shell_arguments *arguments, unsigned index);

#endif
