/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the files of the shell share. */
#ifndef SERVICE_SHELL_SHELL_H
#define SERVICE_SHELL_SHELL_H

#include <stdbool.h>

#include <lichen/shell.h>

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
